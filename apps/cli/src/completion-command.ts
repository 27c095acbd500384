import { orList } from '@sluice/canonical';
import { KEYS_OPTIONS } from './keys/keys-arguments.ts';
import { parseOptions } from './terminal/parse-options.ts';
import { printText } from './terminal/print-text.ts';
import { START_OPTIONS } from './start/start-arguments.ts';
import { TASKS_OPTIONS } from './tasks/tasks-arguments.ts';
import { USAGE_OPTIONS } from './usage/usage-options.ts';
import { RELOAD_OPTIONS } from './reload/reload-command.ts';
import { UsageError } from './terminal/usage-error.ts';

type Words = readonly string[];

interface CommandWords {
  /** Options by subcommand. */
  subcommands?: Readonly<Record<string, Words>>;
  /** The options of a command without subcommands, or its fixed arguments. */
  words?: Words;
}

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript };

const COMMANDS: Readonly<Record<string, CommandWords>> = {
  start: { words: START_OPTIONS.map(dashed) },
  check: { words: ['--json', '--help'] },
  reload: { words: [...RELOAD_OPTIONS].map(dashed) },
  keys: { subcommands: dashedOptions(KEYS_OPTIONS) },
  tasks: { subcommands: dashedOptions(TASKS_OPTIONS) },
  prices: { subcommands: { check: ['--json'] }, words: ['--model', '--json', '--help'] },
  usage: { words: [...USAGE_OPTIONS, 'help'].map(dashed) },
  schema: {},
  completion: { words: Object.keys(SHELLS) },
};
const TOP_WORDS: Words = [...Object.keys(COMMANDS), '--help', '--version'];

const USAGE = `Usage: sluice completion bash|zsh|fish

Prints a completion script for a command named \`sluice\`. To load it:

  bash   source <(sluice completion bash)
  zsh    source <(sluice completion zsh)
  fish   sluice completion fish | source
`;

/**
 * `sluice completion SHELL`
 * @returns the exit code
 * @throws UsageError
 */
export function completionCommand(process: NodeJS.Process): Promise<number> {
  const [shell = '--help', ...rest] = process.argv.slice(3);
  if (['help', '--help', '-h'].includes(shell)) return printText(process, USAGE);
  parseOptions(rest, {});
  const script = Object.entries(SHELLS).find(([name]) => name === shell)?.[1];
  if (!script) throw new UsageError(`Unknown shell \`${shell}\`. Use ${orList(Object.keys(SHELLS))}.`);
  return printText(process, script());
}

function bashScript(): string {
  const cases: string[] = [];
  for (const [command, { subcommands = {}, words }] of Object.entries(COMMANDS)) {
    if (words) cases.push(bashCase(`*:${command}:*`, words));
    const names = Object.keys(subcommands);
    if (names.length > 0) cases.push(bashCase(`2:${command}:*`, names));
    for (const [name, options] of Object.entries(subcommands)) cases.push(bashCase(`*:${command}:${name}`, options));
  }
  return `_sluice() {
  local words=""
  case "$COMP_CWORD:\${COMP_WORDS[1]}:\${COMP_WORDS[2]}" in
    1:*) words="${TOP_WORDS.join(' ')}" ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _sluice sluice
`;
}

function bashCase(pattern: string, words: Words): string {
  return `    ${pattern}) words="${words.join(' ')}" ;;`;
}

function zshScript(): string {
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript()}`;
}

function fishScript(): string {
  const lines = [fishLine('__fish_use_subcommand', TOP_WORDS)];
  for (const [command, { subcommands, words }] of Object.entries(COMMANDS)) {
    if (words) lines.push(fishLine(fishSeen(command), words));
    const names = Object.keys(subcommands ?? {}).join(' ');
    if (names === '') continue;
    lines.push(fishLine(`${fishSeen(command)}; and not ${fishSeen(names)}`, [names]));
    for (const [name, options] of Object.entries(subcommands ?? {})) {
      lines.push(fishLine(`${fishSeen(command)}; and ${fishSeen(name)}`, options));
    }
  }
  return `${lines.join('\n')}\n`;
}

function fishLine(condition: string, words: Words): string {
  return `complete -c sluice -f -n '${condition}' -a '${words.join(' ')}'`;
}

function fishSeen(words: string): string {
  return `__fish_seen_subcommand_from ${words}`;
}

function dashed(option: string): string {
  return `--${option}`;
}

function dashedOptions(options: Readonly<Record<string, Words>>): Record<string, Words> {
  return Object.fromEntries(Object.entries(options).map(([name, list]) => [name, [...list, 'json'].map(dashed)]));
}
