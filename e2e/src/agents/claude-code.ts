import { KEY } from '../text/text-stack.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export interface ClaudeResponse {
  exitCode: number | null;
  /** The text of the final message or of the error. */
  text: string;
  isError: boolean;
  /** Output for the requested schema. */
  structured?: unknown;
}

interface ClaudeResult {
  result: string;
  is_error: boolean;
  structured_output?: unknown;
}

/** Runs Claude Code in its own folder. Each prompt is a separate run. */
export interface ClaudeCode {
  workspace: Workspace;
  prompt(text: string, options?: RunOptions): Promise<ClaudeResponse>;
}

interface RunOptions {
  resume?: boolean;
  flags?: readonly string[];
}

export interface ClaudeOptions {
  script: string;
  /** The gateway's origin, `http://host:port`. */
  origin: string;
  model: string;
  env?: Record<string, string>;
}

/** The caller must close the workspace. */
export async function claudeCode({ script, origin, model, env }: ClaudeOptions): Promise<ClaudeCode> {
  const workspace = await createWorkspace();
  const settings = {
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_AUTH_TOKEN: KEY,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ...env,
  };
  const fixed = [
    '--output-format',
    'json',
    '--permission-mode',
    'acceptEdits',
    '--allowedTools',
    'Bash,Read,CronList,WebSearch',
  ];
  return {
    workspace,
    async prompt(text, { resume = false, flags = [] } = {}) {
      const args = [...fixed, ...flags, ...(resume ? ['--continue'] : []), '-p', text];
      const { exitCode, stdout, stderr } = await workspace.run(script, args, settings);
      if (!stdout.startsWith('{')) throw new Error(`Claude Code ended with ${exitCode}: ${stdout}${stderr}`);
      const output = JSON.parse(stdout) as ClaudeResult; // The cast is safe because the program documents this format.
      return {
        exitCode,
        text: output.result,
        isError: output.is_error,
        ...(output.structured_output !== undefined && { structured: output.structured_output }),
      };
    },
  };
}
