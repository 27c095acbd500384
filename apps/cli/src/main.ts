import { ConfigError } from '@sluice/config';
import { checkCommand } from './check-command.ts';
import { keysCommand } from './keys/keys-command.ts';
import { schemaCommand } from './schema-command.ts';
import { startCommand } from './start/start-command.ts';
import { tasksCommand } from './tasks/tasks-command.ts';

const COMMANDS = {
  start: startCommand,
  check: checkCommand,
  keys: keysCommand,
  schema: schemaCommand,
  tasks: tasksCommand,
};

const USAGE = `Usage: sluice COMMAND

  start   run the API, a worker, and their dependencies until Ctrl-C
  check   print the resolved configuration
  keys    manage API keys; see \`sluice keys --help\`
  tasks   inspect tasks and repair stuck ones; see \`sluice tasks --help\`
  schema  print the JSON Schema of sluice.yaml, for editors
`;

async function main(): Promise<number> {
  const name = process.argv[2] ?? 'help';
  const command = Object.entries(COMMANDS).find(([known]) => known === name)?.[1];
  if (!command) {
    const isHelp = ['help', '--help', '-h'].includes(name);
    (isHelp ? process.stdout : process.stderr).write(isHelp ? USAGE : `${USAGE}\n✗ Unknown command \`${name}\`.\n`);
    return isHelp ? 0 : 2;
  }
  try {
    return await command(process);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`✗ Invalid configuration:\n${error.message}\n`);
    return 1;
  }
}

// The launcher's channel would keep the process alive.
process.exit(await main());
