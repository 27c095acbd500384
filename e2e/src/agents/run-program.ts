import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** How a program ended, and what it said. */
export interface Ran {
  /** Null: a signal ended it. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Past this a program has gone astray; the longest here wait for a few retries. */
const RUN_MS = 60_000;

/** Runs a program to its end, without input; it and what it started are killed when that takes too long. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<Ran> {
  // A process group of its own, so that all of it can be killed.
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const astray = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, RUN_MS);
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    const [exitCode, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    return { exitCode, stdout, stderr };
  } finally {
    clearTimeout(astray);
  }
}
