import { existsSync, readFileSync } from 'node:fs';

/** Returns the text of a script. @throws Error if the script or one that it includes does not exist */
export type LoadScript = (name: string) => string;

const INCLUDE = /^--- @include "([\w/-]+)"$/gm;

/**
 * Reads Lua scripts from disk. Call it while a module is loaded, so that no files are read during Redis calls.
 *
 * A line `--- @include "includes/name"` is replaced by the script with that name, as in BullMQ. Each script is included
 * only once, where it is first mentioned.
 * @param folders URLs that end with a slash; the folders are searched in this order
 */
export function scriptLoader(...folders: readonly URL[]): LoadScript {
  function read(name: string): string {
    const file = folders.map((folder) => new URL(`${name}.lua`, folder)).find((url) => existsSync(url));
    if (!file) throw new Error(`Lua script \`${name}\` does not exist.`);
    return readFileSync(file, 'utf8');
  }

  function expand(name: string, included: Set<string>): string {
    if (included.has(name)) return '';
    included.add(name);
    return read(name).replaceAll(INCLUDE, (_line, inner: string) => expand(inner, included));
  }

  return (name) => expand(name, new Set());
}
