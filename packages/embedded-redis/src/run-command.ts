import { spawn } from 'node:child_process';

/** How a command ended. */
export interface CommandResult {
  /** Exit code; `null` when it could not be started, was killed or took too long. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Where and for how long a command may run. */
export interface CommandOptions {
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** Killed after this many milliseconds. */
  timeoutMs: number;
}

/** Runs a program to its end and collects what it said. Never throws: a missing program is a `null` code. */
export function runCommand(program: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: options.env,
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', (error) => resolve({ code: null, stdout, stderr: error.message }));
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
