import { relative } from 'node:path';

/** Shortens a path below the working folder to `./…`. */
export function shortenPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below.startsWith('..') || below.startsWith('/') ? path : `./${below}`;
}
