import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type AptFailure, fetchAptPackages, findLibraryPath, runCommand } from '@sluice/embedded-redis';

/** The folder of PostgreSQL's programs. A private copy also has its own libraries. */
export interface PostgresPrograms {
  folder: string;
  libraryPath?: string;
}

/**
 * Finds PostgreSQL: an installed one, or a private copy, which is fetched with apt at first. Returns the reason if there
 * is none.
 */
export async function findPostgres(): Promise<PostgresPrograms | AptFailure> {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const installed = [...debianFolders('/'), ...onPath].find(hasPrograms);
  if (installed !== undefined) return { folder: installed };
  const cache = cacheFolder();
  const target = join(cache, process.arch);
  const copy = await checkCopy(target);
  if (!('failure' in copy)) return copy;
  try {
    await mkdir(cache, { recursive: true, mode: 0o755 });
    return await fetchAptPackages(
      { aptGet: 'apt-get', target, env: process.env },
      { sets: [{ install: 'postgresql' }], fetchedAnyway: /^(?:postgresql(?:-.+)?|libpq5)$/, check: checkCopy },
    );
  } catch (error) {
    return { failure: String(error) };
  }
}

/** The server drops root's rights, so root's copy must be in a folder that others can read. */
function cacheFolder(): string {
  if (process.getuid?.() === 0) return '/var/cache/sluice/postgres';
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sluice/postgres');
}

/** Returns the folders in which Debian's packages have their programs, the newest first. */
function debianFolders(root: string): string[] {
  const parent = join(root, 'usr/lib/postgresql');
  const versions = existsSync(parent) ? readdirSync(parent).toSorted((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(parent, version, 'bin'));
}

function hasPrograms(folder: string): boolean {
  return ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(folder, name)));
}

async function checkCopy(root: string): Promise<PostgresPrograms | AptFailure> {
  const folder = debianFolders(root).find(hasPrograms);
  if (folder === undefined) return { failure: 'the packages contain no PostgreSQL' };
  const libraryPath = await findLibraryPath(root);
  const env = { LC_ALL: 'C', LD_LIBRARY_PATH: libraryPath, LD_BIND_NOW: '1' };
  const { code, stderr } = await runCommand(join(folder, 'postgres'), ['--version'], { env, timeoutMs: 10_000 });
  return code === 0 ? { folder, libraryPath } : { failure: `the downloaded PostgreSQL does not run: ${stderr}` };
}
