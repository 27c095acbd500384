// `npm start`: installs missing dependencies, selects a Node, builds the console if its sources changed, and runs the
// supervisor. This file is plain JavaScript, because an old Node must be able to run it.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { isConsoleBuilt } from './lib/build-console.mjs';
import { prepare } from './lib/prepare.mjs';
import { ROOT } from './lib/root.mjs';
import { runTethered } from './lib/run-tethered.mjs';
import { SERVER_FLAGS, SERVER_MEMORY } from './lib/server-flags.mjs';

const { node, runs } = await prepare({ withDev: false });
if (!isConsoleBuilt(ROOT)) await buildConsole();
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
    env: { NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'), ...SERVER_MEMORY, ...process.env },
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

/** Without the console, everything else works, so a failure is only reported. */
async function buildConsole() {
  process.stdout.write('  Building the console (first run only)… ');
  const startedAt = Date.now();
  const building = runTethered([node, 'scripts/build-console.mjs'], { cwd: ROOT, env: process.env, output: 'pipe' });
  runs(building);
  const { code, output } = await building.ended;
  if (code === 0) return console.log(`done in ${Math.max(1, Math.round((Date.now() - startedAt) / 1000))} s`);
  console.log('failed; /console is not available');
  console.error(output);
}
