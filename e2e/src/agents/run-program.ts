import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface ProgramResult {
  /** Null: a signal ended the program. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** The longest runs wait for a few retries. */
const TIMEOUT_MS = 60_000;

/** Runs a program without input; kills it and its children after a timeout. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<ProgramResult> {
  // Its own process group, which can be killed with all children.
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
