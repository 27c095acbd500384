// `npm test`: installs missing dependencies, selects a Node, and runs the unit and integration tests with it.
// `npm run test:all` also runs the system tests: faults, chaos, and SDKs against running processes.
// Other arguments are passed to vitest: `npm test -- packages/tasks`. Paths may belong to any group.
import { join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { ROOT } from './lib/root.mjs';
import { runTethered } from './lib/run-tethered.mjs';

const UNIT_PROJECTS = ['shared', 'isolated'];

const args = process.argv.slice(2).filter((argument) => argument !== '--all');
const isAll = process.argv.includes('--all');
// The value of an option (`-t name`) is not a path.
const hasFilter = args.some(
  (argument, at) => argument.startsWith('--project') || (!argument.startsWith('-') && !args[at - 1]?.startsWith('-')),
);
const projects = isAll || hasFilter ? [] : UNIT_PROJECTS.map((project) => `--project=${project}`);

const { node, runs } = await prepare({ withDev: true });
const vitest = ['--conditions=source', 'node_modules/vitest/vitest.mjs', 'run', ...projects, ...args];
// The tests start many programs. Their compiled code saves 40 % of the CPU time of a start.
const env = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled-programs'), ...process.env };
const running = runTethered([node, ...vitest], { cwd: ROOT, env, output: 'inherit' });
runs(running);
process.exit((await running.ended).code);
