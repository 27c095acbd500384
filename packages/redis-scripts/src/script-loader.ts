import { existsSync, readFileSync } from 'node:fs';

/** Returns the complete text of the script `name`. @throws Error when it or a script that it includes does not exist */
export type LoadScript = (name: string) => string;

const INCLUDE = /^--- @include "([\w/-]+)"$/gm;

/**
 * Reads Lua scripts from disk. Call it while a module loads, so that no call to Redis reads a file.
 *
 * A line `--- @include "includes/name"` is replaced by the script of that name, as in BullMQ. Every script is included
 * at most once, before its first user.
 *
 * @param folders URLs that end with a slash; a name is looked up in the first folder that has it
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
