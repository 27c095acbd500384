import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Starts a program that outlives Ctrl-C but not this process.
 *
 * It runs in a session of its own, so that a terminal's signals pass it by, under a small shell that holds the
 * other end of our pipe. When the pipe closes, because we closed it or because we were killed, the shell asks the
 * program to stop. The shell's exit code is the program's.
 */
const TETHER = `
exec 3<&0
"$@" 3<&- </dev/null &
server=$!
( read -r _ <&3; kill -TERM $server 2>/dev/null ) >/dev/null 2>&1 &
watcher=$!
{ wait $server; } 2>/dev/null
code=$?
kill $watcher 2>/dev/null
exit $code
`;

/** A program on a tether. */
export interface TetheredProcess {
  /** Resolves when the program has ended, with its code, or null after a signal. */
  exited: Promise<number | null>;
  /** The last lines that it printed. */
  tail(): string;
  /** Asks the program to stop; it is killed when it is still there after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Starts `argv` on a tether; see {@link TETHER}. */
export function startTethered(argv: readonly string[], env: NodeJS.ProcessEnv): TetheredProcess {
  const child: ChildProcess = spawn('/bin/sh', ['-c', TETHER, 'sluice-redis', ...argv], {
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (text: string) => (output = (output + text).slice(-4_000));
  child.stdout?.setEncoding('utf8').on('data', keep);
  child.stderr?.setEncoding('utf8').on('data', keep);
  child.stdin?.on('error', () => undefined);
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      keep(error.message);
      resolve(null);
    });
    child.once('exit', (code) => {
      // Should the shell alone have been killed, this ends its program.
      child.stdin?.destroy();
      resolve(code);
    });
  });
  return {
    exited,
    tail: () => output.trim().split('\n').slice(-5).join('\n'),
    stop: async (graceMs) => {
      child.stdin?.destroy();
      const timer = setTimeout(() => killGroup(child.pid), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended in this instant.
  }
}
