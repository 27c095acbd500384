import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KEY } from '../text/text-stack.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

interface Item {
  type: string;
  text?: string;
  message?: string;
  command?: string;
  aggregated_output?: string;
  exit_code?: number | null;
}

interface CodexEvent {
  type: string;
  item?: Item;
  message?: string;
  usage?: { input_tokens: number; output_tokens: number };
}

export interface CodexResponse {
  exitCode: number | null;
  /** The last message; empty if there is none. */
  text: string;
  /** Shell commands, sorted because parallel commands finish in no fixed order. */
  commands: { command: string; output: string; exitCode: number | null }[];
  /** Descriptions of failed turns and reconnections. */
  errors: string[];
  /** Tokens that the conversation has used. */
  usage?: { input_tokens: number; output_tokens: number };
}

/** How Codex is configured to reach the gateway: as a custom provider, or by replacing OpenAI's URL (`built-in`). */
export type Provider = 'custom' | 'built-in';

/** Runs Codex in its own folder. Each prompt is a separate run. */
export interface Codex {
  workspace: Workspace;
  prompt(text: string, options?: RunOptions): Promise<CodexResponse>;
}

interface RunOptions {
  resume?: boolean;
  /** Number of tokens above which Codex compacts the conversation. */
  compactAbove?: number;
  flags?: readonly string[];
}

export interface CodexOptions {
  script: string;
  /** The gateway's origin, `http://host:port`. */
  origin: string;
  model: string;
  provider: Provider;
}

/** The caller must close the workspace. */
export async function codex(options: CodexOptions): Promise<Codex> {
  const workspace = await createWorkspace();
  await writeFile(path.join(workspace.home, 'config.toml'), settingsOf(options));
  const env = { CODEX_HOME: workspace.home, CODEX_API_KEY: KEY, SLUICE_KEY: KEY };
  return {
    workspace,
    async prompt(text, { resume = false, compactAbove, flags = [] } = {}) {
      const args = ['exec', '--skip-git-repo-check', '-s', 'danger-full-access'];
      if (compactAbove !== undefined) args.push('-c', `model_auto_compact_token_limit=${compactAbove}`);
      if (resume) args.push('resume', '--last');
      const { exitCode, stdout, stderr } = await workspace.run(
        options.script,
        [...args, ...flags, '--json', text],
        env,
      );
      const events = stdout.split('\n').filter((line) => line.startsWith('{'));
      if (events.length === 0) throw new Error(`Codex ended with ${exitCode}: ${stdout}${stderr}`);
      return responseOf(
        exitCode,
        events.map((line) => JSON.parse(line) as CodexEvent),
      ); // The cast is safe because the program documents this format.
    },
  };
}

function settingsOf({ origin, model, provider }: CodexOptions): string {
  const custom = [
    'model_provider = "sluice"',
    '[model_providers.sluice]',
    'name = "Sluice"',
    `base_url = "${origin}/v1"`,
    'env_key = "SLUICE_KEY"',
    'wire_api = "responses"',
  ];
  return [`model = "${model}"`, ...(provider === 'custom' ? custom : [`openai_base_url = "${origin}/v1"`])].join('\n');
}

function responseOf(exitCode: number | null, events: readonly CodexEvent[]): CodexResponse {
  const items = events.flatMap(({ type, item }) => (type === 'item.completed' && item ? [item] : []));
  const usage = events.findLast((event) => event.usage)?.usage;
  return {
    exitCode,
    text: items.findLast(({ type }) => type === 'agent_message')?.text ?? '',
    commands: items
      .filter(({ type }) => type === 'command_execution')
      .map((item) => ({
        command: item.command ?? '',
        output: item.aggregated_output ?? '',
        exitCode: item.exit_code ?? null,
      }))
      .toSorted((one, other) => one.command.localeCompare(other.command)),
    errors: events.flatMap(({ type, message }) => (type === 'error' && message !== undefined ? [message] : [])),
    ...(usage && { usage }),
  };
}
