import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.ts';

/** Returns the absolute path of a program on a PATH, or undefined if it is not there. */
export async function findOnPath(name: string, path = ''): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, name);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns a program's version, or undefined if the program does not run on this machine. Redis, Valkey, and KeyDB all
 * print `… v=7.0.15 …`.
 */
export async function readServerVersion(program: string, libraryPath?: string): Promise<string | undefined> {
  // With `LD_BIND_NOW`, a missing symbol causes a failure here instead of during a command.
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C', LD_BIND_NOW: '1' };
  if (libraryPath) env.LD_LIBRARY_PATH = libraryPath;
  const { code, stdout } = await runCommand(program, ['--version'], { env, timeoutMs: 10_000 });
  if (code !== 0) return undefined;
  return /\bv=(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
}

/** A server program from an unpacked package, with its library folders. */
export interface UnpackedServer {
  program: string;
  libraryPath: string;
}

export async function findUnpackedServer(root: string): Promise<UnpackedServer | undefined> {
  for (const name of SERVER_PROGRAMS) {
    const program = join(root, 'usr/bin', name);
    if (await isExecutable(program)) return { program, libraryPath: await findLibraryPath(root) };
  }
  return undefined;
}

/** Returns the `LD_LIBRARY_PATH` of programs in a folder of unpacked packages. */
export async function findLibraryPath(root: string): Promise<string> {
  const folders = await Promise.all(['usr/lib', 'lib'].map((folder) => subfolders(join(root, folder))));
  return folders.flat().join(':');
}

/** The names of compatible server programs. */
export const SERVER_PROGRAMS = ['redis-server', 'valkey-server', 'keydb-server'] as const;

async function subfolders(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return [folder, ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name))];
  } catch {
    return [];
  }
}
