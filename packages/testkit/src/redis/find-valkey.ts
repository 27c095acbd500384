import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type AptFailure, fetchAptPackages, findLibraryPath, runCommand } from '@sluice/embedded-redis';
import { existsSync } from 'node:fs';

/** The command that starts Valkey. */
export interface ValkeyProgram {
  command: string[];
  version: string;
}

/** Debian 12 has Valkey only in its backports, and its libraries in the release. */
const BACKPORTS = ['bookworm', 'bookworm-backports']
  .map(
    (suite) =>
      `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian ${suite} main\n`,
  )
  .join('');
/** The libraries of the server that a machine without Redis lacks. */
const LIBRARIES = ['libatomic1', 'libjemalloc2', 'liblzf1'];

/** Finds Valkey: an installed one, or a private copy, which is fetched with apt at first. Returns the reason if there is none. */
export async function findValkey(): Promise<ValkeyProgram | AptFailure> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const installed = folders.map((folder) => join(folder, 'valkey-server')).find((file) => existsSync(file));
  if (installed !== undefined) return describe([installed]);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sluice/valkey');
  const target = join(cache, process.arch);
  const copy = await checkCopy(target);
  if (!('failure' in copy)) return copy;
  try {
    await mkdir(cache, { recursive: true });
    const packages = {
      sets: [{ install: 'valkey-server', closure: ['valkey-server', 'valkey-tools', ...LIBRARIES] }],
      fetchedAnyway: /^valkey/,
      check: checkCopy,
    };
    const options = { aptGet: 'apt-get', target, env: process.env };
    const fetched = await fetchAptPackages(options, packages);
    if (!('failure' in fetched)) return fetched;
    const sourcesFile = join(cache, 'sources.list');
    await writeFile(sourcesFile, BACKPORTS);
    return await fetchAptPackages({ ...options, sourcesFile }, packages);
  } catch (error) {
    return { failure: String(error) };
  }
}

async function checkCopy(root: string): Promise<ValkeyProgram | AptFailure> {
  const program = join(root, 'usr/bin/valkey-server');
  if (!existsSync(program)) return { failure: 'the packages contain no Valkey' };
  return describe(['env', `LD_LIBRARY_PATH=${await findLibraryPath(root)}`, program]);
}

async function describe(command: [string, ...string[]]): Promise<ValkeyProgram | AptFailure> {
  const [name, ...args] = command;
  const { code, stdout, stderr } = await runCommand(name, [...args, '--version'], {
    env: process.env,
    timeoutMs: 10_000,
  });
  const version = /v=(\S+)/.exec(stdout)?.[1];
  return code === 0 && version !== undefined ? { command, version } : { failure: `it does not run: ${stderr}` };
}
