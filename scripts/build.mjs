// `npm run build`: checks the types, bundles each program into its `dist` folder, and builds the console. With arguments, builds only these
// projects: `npm run build -- apps/api`.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole, isConsoleBuilt } from './lib/build-console.mjs';
import { bundleProgram } from './lib/bundle-program.mjs';
import { ROOT } from './lib/root.mjs';

const PROGRAMS = ['apps/api', 'apps/worker', 'apps/sandbox', 'apps/cli'];

const projects = process.argv.slice(2);
const checked = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', ...projects], {
  cwd: ROOT,
  stdio: 'inherit',
});
if (checked.status !== 0) process.exit(1);

for (const program of PROGRAMS.filter((name) => projects.length === 0 || projects.includes(name))) {
  const dist = join(ROOT, program, 'dist');
  // The names of dynamically imported files contain a hash, so old ones would accumulate.
  for (const file of readdirSync(dist)) if (file.endsWith('.js')) rmSync(join(dist, file));
  rmSync(join(dist, 'compile-cache'), { recursive: true, force: true });
  await bundleProgram(program, dist);
}

const wantsConsole = projects.length === 0 || projects.includes('apps/console');
if (wantsConsole && !isConsoleBuilt(ROOT)) await buildConsole(ROOT);
