import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Starts a program that keeps running on Ctrl-C but ends with this process. The program runs in a separate session, so
 * it does not receive the terminal's signals. A small wrapper shell reads from a pipe that this process holds open.
 * When this process closes the pipe or is killed, the shell sends SIGTERM to the program. The shell exits with the
 * program's exit code. Only this user can read the program's files.
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
  /** Resolves with the exit code, or with null if a signal ended the program. */
  exited: Promise<number | null>;
  tail(): string;
  /** Sends a stop request, and kills the program after `graceMs`. */
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
      // If only the shell was killed, closing the pipe still stops the program.
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
    // The process has already exited.
  }
}
