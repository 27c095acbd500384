// `npm run build`: compiles all programs into `dist` and copies the Lua scripts, which the compiler ignores.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/root.mjs';

const compiled = spawnSync(
  process.execPath,
  [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', ...process.argv.slice(2)],
  {
    cwd: ROOT,
    stdio: 'inherit',
  },
);
if (compiled.status !== 0) process.exit(1);

const sources = join(ROOT, 'packages');
for (const file of readdirSync(sources, { recursive: true })) {
  if (!/^[^/\\]+[/\\]src[/\\].*\.lua$/.test(file)) continue;
  cpSync(join(sources, file), join(sources, file.replace(/^([^/\\]+[/\\])src/, '$1dist')));
}
