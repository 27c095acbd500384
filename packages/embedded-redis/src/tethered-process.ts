import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Starts a program that survives Ctrl-C but not this process. The program runs in its own session, so a terminal's
 * signals do not reach it. A small shell around it has the other end of our pipe. When the pipe closes, because we
 * close it or are killed, the shell sends SIGTERM to the program. The shell's exit code is the program's. Only this user
 * can read the program's files.
 */
const TETHER = `
umask 077
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

export interface TetheredProcess {
  /** Resolves with the exit code, or null after a signal. */
  exited: Promise<number | null>;
  tail(): string;
  /** Sends a stop request and kills the program after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export function startTethered(argv: readonly string[], env: NodeJS.ProcessEnv): TetheredProcess {
  const child: ChildProcess = spawn('/bin/sh', ['-c', TETHER, 'sluice-redis', ...argv], {
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (text: string) => (output = (output + text).slice(-4_000));
  child.stdout?.setEncoding('utf8').on('data', collect);
  child.stderr?.setEncoding('utf8').on('data', collect);
  child.stdin?.on('error', () => undefined);
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      collect(error.message);
      resolve(null);
    });
    child.once('exit', (code) => {
      // If only the shell was killed, this ends the program.
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
    // The process has just exited.
  }
}
