// `npm test`: installs missing dependencies, selects a Node, and runs the tests on it.
// Arguments are passed on: `npm test -- packages/tasks`.
import { prepare } from './lib/prepare.mjs';
import { ROOT } from './lib/root.mjs';
import { runTethered } from './lib/run-tethered.mjs';

const { node, runs } = await prepare({ withDev: true });
const vitest = ['--conditions=source', 'node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)];
const running = runTethered([node, ...vitest], { cwd: ROOT, env: process.env, output: 'inherit' });
runs(running);
process.exit((await running.ended).code);
