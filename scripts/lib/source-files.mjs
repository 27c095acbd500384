import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ROOT } from './root.mjs';

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.sluice']);
const CODE = ['packages', 'apps', 'e2e', 'bench', 'scripts'];

/** Files below the folders, relative to the root, with `/` between folders. `.` means the files of the root itself. */
export function sourceFiles(pattern, folders = CODE) {
  return folders
    .flatMap((folder) => filesBelow(join(ROOT, folder), folder !== '.'))
    .map((path) => relative(ROOT, path).split(sep).join('/'))
    .filter((path) => pattern.test(path))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

function filesBelow(folder, deep = true) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return deep && !SKIPPED.has(entry.name) ? filesBelow(path) : [];
  });
}

export function workspaceOf(path) {
  const [first, second] = path.split('/');
  return first === 'packages' || first === 'apps' ? `${first}/${second}` : first;
}

export const isTest = (path) => path.endsWith('.test.ts');
