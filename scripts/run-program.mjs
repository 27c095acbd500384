// `npm run chaos`, `npm run soak`: installs missing dependencies, selects a Node, and runs the given program with it.
// Arguments are passed to the program: `npm run chaos -- --seed 7 --tasks 500 --minutes 3`.
import { prepare } from './lib/prepare.mjs';
import { ROOT } from './lib/root.mjs';
import { runTethered } from './lib/run-tethered.mjs';

const { node, runs } = await prepare({ withDev: true });
const running = runTethered(
  [node, '--conditions=source', '--disable-warning=ExperimentalWarning', ...process.argv.slice(2)],
  { cwd: ROOT, env: process.env, output: 'inherit' },
);
runs(running);
process.exit((await running.ended).code);
