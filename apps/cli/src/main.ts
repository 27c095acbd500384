import { ConfigError } from '@sluice/config';
import { checkCommand } from './check-command.ts';
import { completionCommand } from './completion-command.ts';
import { keysCommand } from './keys/keys-command.ts';
import { paintError } from './terminal/paint.ts';
import { pricesCommand } from './prices/prices-command.ts';
import { printText } from './terminal/print-text.ts';
import { reloadCommand } from './reload/reload-command.ts';
import { readVersion } from './start/read-version.ts';
import { schemaCommand } from './schema-command.ts';
import { startCommand } from './start/start-command.ts';
import { tasksCommand } from './tasks/tasks-command.ts';
import { usageCommand } from './usage/usage-command.ts';
import { UsageError } from './terminal/usage-error.ts';

const COMMANDS = {
  start: startCommand,
  check: checkCommand,
  reload: reloadCommand,
  keys: keysCommand,
  schema: schemaCommand,
  tasks: tasksCommand,
  prices: pricesCommand,
  usage: usageCommand,
  completion: completionCommand,
};

const USAGE = `Usage: sluice COMMAND

  start       run the API, a worker, and their dependencies until Ctrl-C; see \`sluice start --help\`
  check       print the resolved configuration; --json for programs
  reload      make all processes read the configuration again; see \`sluice reload --help\`
  keys        manage API keys; see \`sluice keys --help\`
  tasks       inspect tasks and repair stuck ones; see \`sluice tasks --help\`
  prices      list, explain, and check the prices of the models
  usage       report requests, usage, and cost; see \`sluice usage --help\`
  schema      print the JSON Schema of sluice.yaml, for editors
  completion  print a completion script for bash, zsh, or fish

  --version   print the version
  --help      print this text

NO_COLOR=1 disables colors. SLUICE_DEBUG=1 adds the stack trace to an unexpected error.
`;

async function main(): Promise<number> {
  const name = process.argv[2] ?? 'help';
  if (['help', '--help', '-h'].includes(name)) return printText(process, USAGE);
  if (['version', '--version', '-v'].includes(name)) return printText(process, `sluice ${await readVersion()}\n`);
  const command = Object.entries(COMMANDS).find(([known]) => known === name)?.[1];
  if (!command) {
    process.stderr.write(`${USAGE}\n${paintError('red', '✗')} Unknown command \`${name}\`.\n`);
    return 2;
  }
  try {
    return await command(process);
  } catch (error) {
    return reportError(name, error);
  }
}

/** @returns the exit code */
function reportError(command: string, error: unknown): number {
  const mark = paintError('red', '✗');
  if (error instanceof UsageError) {
    process.stderr.write(`${mark} ${error.message}\n  Run \`sluice ${command} --help\` for usage.\n`);
    return 2;
  }
  if (error instanceof ConfigError) {
    process.stderr.write(`${mark} Invalid configuration:\n${error.message}\n`);
    return 1;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${mark} ${message}\n`);
  if (process.env['SLUICE_DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
  return 1;
}

// The reader of a pipe may exit early (e.g. `head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
// Without an explicit exit, the launcher's IPC channel would keep the process alive.
process.exit(await main());
