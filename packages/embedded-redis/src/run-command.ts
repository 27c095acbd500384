import { spawn } from 'node:child_process';

export interface CommandResult {
  /** Exit code; `null` if the program did not start, was killed, or timed out. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  env: NodeJS.ProcessEnv;
  cwd?: string;
  timeoutMs: number;
}

/** Runs a program and collects its output. Never throws; if the program does not exist, `code` is `null`. */
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
