import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KEY } from '../text/text-stack.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

/** An event of a Codex turn; only the fields that tests read. */
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

/** Output of a Codex run. */
export interface CodexResponse {
  exitCode: number | null;
  /** Its last message; empty when there was none. */
  text: string;
  /** Shell commands, sorted; parallel ones end in any order. */
  commands: { command: string; output: string; exitCode: number | null }[];
  /** Failed turns and reconnections. */
  errors: string[];
  /** Tokens of the conversation so far. */
  usage?: { input_tokens: number; output_tokens: number };
}

/** How Codex is pointed at a gateway: as a provider that it does not know, or in place of OpenAI. */
export type Provider = 'custom' | 'built-in';

/** Codex in a folder of its own; each question is a run, and may go on with the conversation of the last. */
export interface Codex {
  workspace: Workspace;
  ask(prompt: string, options?: RunOptions): Promise<CodexResponse>;
}

interface RunOptions {
  /** Whether it goes on with the last conversation. */
  goOn?: boolean;
  /** Tokens of a conversation past which it is compacted. */
  compactAbove?: number;
  /** More arguments of its command line. */
  flags?: readonly string[];
}

export interface CodexOptions {
  /** The script that starts it. */
  script: string;
  /** `http://host:port` of the gateway. */
  origin: string;
  model: string;
  provider: Provider;
}

/** Prepares {@link Codex}; close its workspace in the end. */
export async function codex(options: CodexOptions): Promise<Codex> {
  const workspace = await makeWorkspace();
  await writeFile(path.join(workspace.home, 'config.toml'), settingsOf(options));
  const env = { CODEX_HOME: workspace.home, CODEX_API_KEY: KEY, SLUICE_KEY: KEY };
  return {
    workspace,
    async ask(prompt, { goOn = false, compactAbove, flags = [] } = {}) {
      const args = ['exec', '--skip-git-repo-check', '-s', 'danger-full-access'];
      if (compactAbove !== undefined) args.push('-c', `model_auto_compact_token_limit=${compactAbove}`);
      if (goOn) args.push('resume', '--last');
      const { exitCode, stdout, stderr } = await workspace.run(
        options.script,
        [...args, ...flags, '--json', prompt],
        env,
      );
      const events = stdout.split('\n').filter((line) => line.startsWith('{'));
      if (events.length === 0) throw new Error(`Codex ended with ${exitCode}: ${stdout}${stderr}`);
      return responseOf(
        exitCode,
        events.map((line) => JSON.parse(line) as CodexEvent),
      ); // the program's own shape
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
