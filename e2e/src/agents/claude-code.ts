import { KEY } from '../text/text-stack.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

/** What Claude Code said at the end of a run. */
export interface ClaudeAnswer {
  exitCode: number | null;
  /** Its last words, or the error that it shows instead. */
  text: string;
  isError: boolean;
  /** What the run used, as Claude Code counts it. */
  usage: { input_tokens: number; cache_read_input_tokens: number; output_tokens: number };
}

/** Claude Code in a folder of its own; each question is a run, and may go on with the conversation of the last. */
export interface ClaudeCode {
  workspace: Workspace;
  ask(prompt: string, options?: { goOn?: boolean }): Promise<ClaudeAnswer>;
}

/** What {@link claudeCode} needs. */
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
  const fixed = ['--output-format', 'json', '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Read,CronList'];
  return {
    workspace,
    async ask(prompt, { goOn = false } = {}) {
      const args = [...fixed, ...(goOn ? ['--continue'] : []), '-p', prompt];
      const { exitCode, stdout, stderr } = await workspace.run(script, args, settings);
      if (!stdout.startsWith('{')) throw new Error(`Claude Code ended with ${exitCode}: ${stdout}${stderr}`);
      // The program's own shape.
      const said = JSON.parse(stdout) as { result: string; is_error: boolean; usage: ClaudeAnswer['usage'] };
      return { exitCode, text: said.result, isError: said.is_error, usage: said.usage };
    },
  };
}
