import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ROOT } from './root.mjs';

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.sluice']);
const CODE = ['packages', 'apps', 'e2e', 'bench', 'scripts'];

/**
 * Lists the files in these folders and their subfolders, relative to the root and separated by `/`. For `.`, lists only
 * the root's own files.
 */
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
