import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface ProgramResult {
  /** null if the program was ended by a signal. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Long enough for the slowest runs, which include a few retries. */
const TIMEOUT_MS = 60_000;

/** Runs a program without input. Kills it and its children after a timeout. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<ProgramResult> {
  // The program runs in its own process group, so that its children can also be killed.
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const timeout = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, TIMEOUT_MS);
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    const [exitCode, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    return { exitCode, stdout, stderr };
  } finally {
    clearTimeout(timeout);
  }
}
