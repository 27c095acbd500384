import { KEY } from '../text/text-stack.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

/** Output of a Claude Code run. */
export interface ClaudeResponse {
  exitCode: number | null;
  /** Its last words, or the error that it shows instead. */
  text: string;
  isError: boolean;
  /** The answer that fits the schema, when one was given. */
  structured?: unknown;
}

interface ClaudeResult {
  result: string;
  is_error: boolean;
  structured_output?: unknown;
}

/** Claude Code in a folder of its own; each question is a run, and may go on with the conversation of the last. */
export interface ClaudeCode {
  workspace: Workspace;
  ask(prompt: string, options?: RunOptions): Promise<ClaudeResponse>;
}

interface RunOptions {
  /** Whether it goes on with the last conversation. */
  goOn?: boolean;
  /** More arguments of its command line. */
  flags?: readonly string[];
}

export interface ClaudeOptions {
  /** The script that starts it. */
  script: string;
  /** `http://host:port` of the gateway. */
  origin: string;
  model: string;
  /** Variables beside those that every user sets. */
  env?: Record<string, string>;
}

/** Prepares {@link ClaudeCode}; close its workspace in the end. */
export async function claudeCode({ script, origin, model, env }: ClaudeOptions): Promise<ClaudeCode> {
  const workspace = await makeWorkspace();
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
    async ask(prompt, { goOn = false, flags = [] } = {}) {
      const args = [...fixed, ...flags, ...(goOn ? ['--continue'] : []), '-p', prompt];
      const { exitCode, stdout, stderr } = await workspace.run(script, args, settings);
      if (!stdout.startsWith('{')) throw new Error(`Claude Code ended with ${exitCode}: ${stdout}${stderr}`);
      const said = JSON.parse(stdout) as ClaudeResult; // the program's own shape
      return {
        exitCode,
        text: said.result,
        isError: said.is_error,
        ...(said.structured_output !== undefined && { structured: said.structured_output }),
      };
    },
  };
}
