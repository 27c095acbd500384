// `npm start`: installs missing dependencies, selects a Node, and runs the supervisor with it. This file is plain
// JavaScript, because an old Node must be able to run it.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { ROOT } from './lib/root.mjs';
import { SERVER_FLAGS } from './lib/server-flags.mjs';

const { node, runs } = await prepare({ withDev: false });
const dataDir = resolve(ROOT, process.env.SLUICE_DATA_DIR || '.sluice');
// Node itself creates the data folder for its compile cache, so the folder must be private from the start.
process.umask(0o077);
const child = spawn(
  node,
  [
    '--conditions=source',
    '--disable-warning=ExperimentalWarning',
    // The supervisor passes its flags to the processes that it starts.
    ...SERVER_FLAGS,
    'apps/cli/src/main.ts',
    'start',
    ...process.argv.slice(2),
  ],
  {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'), ...process.env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  },
);
// Closing the IPC channel stops the supervisor. The channel also closes if this process is killed.
runs({ stop: () => child.connected && child.disconnect() });
child.once('error', (error) => {
  console.error(`✗ ${error.message}`);
  process.exit(1);
});
child.once('exit', (code) => process.exit(code === null ? 1 : code));
