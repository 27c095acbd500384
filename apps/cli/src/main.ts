import { ConfigError } from '@sluice/config';
import { checkCommand } from './check-command.ts';
import { keysCommand } from './keys-command.ts';
import { schemaCommand } from './schema-command.ts';
import { startCommand } from './start-command.ts';
import { tasksCommand } from './tasks-command.ts';

const COMMANDS = {
  start: startCommand,
  check: checkCommand,
  keys: keysCommand,
  schema: schemaCommand,
  tasks: tasksCommand,
};

const USAGE = `Usage: sluice COMMAND

  start   run the API, a worker and what they need, until Ctrl-C
  check   read the configuration and print what came of it
  keys    make, list, change, rotate and revoke API keys; \`sluice keys\` tells how
  tasks   find tasks, see what happened to them, and help those that are stuck; \`sluice tasks\` tells how
  schema  print the JSON Schema of sluice.yaml, for editors
`;

async function main(): Promise<number> {
  const name = process.argv[2] ?? 'help';
  const command = Object.entries(COMMANDS).find(([known]) => known === name)?.[1];
  if (!command) {
    const asked = ['help', '--help', '-h'].includes(name);
    (asked ? process.stdout : process.stderr).write(asked ? USAGE : `${USAGE}\n✗ There is no command ${name}.\n`);
    return asked ? 0 : 2;
  }
  try {
    return await command(process);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`✗ The configuration cannot be used:\n${error.message}\n`);
    return 1;
  }
}

// The launcher's channel would keep an ended process alive.
process.exit(await main());
