import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CommandResult, runCommand } from './run-command.ts';
import { withoutPackages } from './without-packages.ts';

/** Packages to fetch, and the check that recognizes the server in them. */
export interface AptPackages<Server> {
  /**
   * Sets of packages that may contain a server, in order of preference. apt resolves the dependencies of `install`. If
   * it cannot, `closure` is fetched instead.
   */
  sets: readonly { install: string; closure?: readonly string[] }[];
  /** The names of packages that are fetched even if they are installed. */
  fetchedAnyway: RegExp;
  /** Returns the server in a folder of unpacked packages, or the reason why it cannot be used. */
  check: (root: string) => Promise<Server | AptFailure>;
}

export interface AptFailure {
  failure: string;
}

export interface AptFetchOptions {
  aptGet: string;
  /** Folder for the copy. Its parent must be writable. */
  target: string;
  env: NodeJS.ProcessEnv;
  /** Path of dpkg's status file. */
  statusFile?: string;
  /** A list of sources to use instead of those of the machine. */
  sourcesFile?: string;
}

/**
 * Uses apt to download a private copy of a server into a folder. It installs nothing, enables no service, and does not
 * need root. apt verifies the signed index and the hashes. If the machine's package lists do not work, downloads lists
 * into a temporary folder. Returns the server in the copy, or the reason why it could not be created.
 */
export async function fetchAptPackages<Server extends object>(
  options: AptFetchOptions,
  packages: AptPackages<Server>,
): Promise<Server | AptFailure> {
  await mkdir(dirname(options.target), { recursive: true, mode: 0o700 });
  const work = await mkdtemp(`${options.target}.`);
  try {
    let failure = 'no package';
    for (const fresh of options.sourcesFile === undefined ? [false, true] : [true]) {
      const flags = await aptFlags(work, options.statusFile ?? '/var/lib/dpkg/status', packages.fetchedAnyway, fresh);
      if (options.sourcesFile !== undefined) {
        flags.push('-o', `Dir::Etc::sourcelist=${options.sourcesFile}`, '-o', 'Dir::Etc::sourceparts=-');
      }
      if (fresh) {
        const update = await apt(options, work, flags, ['update'], 180_000);
        if (update.code !== 0) return { failure: `apt-get update: ${lastLine(update)}` };
      }
      for (const set of packages.sets) {
        const result = await fetchSet(options, work, flags, set, packages);
        if (!('failure' in result)) return await storeCopy(work, options.target, packages);
        failure = result.failure;
      }
    }
    return { failure };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fetchSet<Server extends object>(
  options: AptFetchOptions,
  work: string,
  flags: readonly string[],
  set: AptPackages<Server>['sets'][number],
  packages: AptPackages<Server>,
): Promise<Server | AptFailure> {
  const archives = join(work, 'cache/archives');
  const install = ['install', '-y', '--download-only', '--no-install-recommends', set.install];
  // If apt cannot resolve the dependencies (e.g. because of half-installed packages), try a fixed list of packages.
  const attempts = [install, ...(set.closure ? [['download', ...set.closure]] : [])];
  let failure = '';
  for (const attempt of attempts) {
    await rm(archives, { recursive: true, force: true });
    await mkdir(join(archives, 'partial'), { recursive: true });
    const fetched = await apt(options, archives, flags, attempt, 180_000);
    if (fetched.code !== 0) {
      failure = `apt-get ${attempt[0]}: ${lastLine(fetched)}`;
      continue;
    }
    const unpacked = await unpack(work, archives, options.env, packages);
    if (!('failure' in unpacked)) return unpacked;
    failure = unpacked.failure;
  }
  return { failure };
}

async function unpack<Server extends object>(
  work: string,
  archives: string,
  env: NodeJS.ProcessEnv,
  packages: AptPackages<Server>,
): Promise<Server | AptFailure> {
  const root = join(work, 'root');
  await rm(root, { recursive: true, force: true });
  await mkdir(root);
  for (const name of await readdir(archives)) {
    if (!name.endsWith('.deb')) continue;
    const result = await runCommand('dpkg-deb', ['-x', join(archives, name), root], { env, timeoutMs: 60_000 });
    if (result.code !== 0) return { failure: `dpkg-deb: ${lastLine(result)}` };
  }
  return packages.check(root);
}

async function storeCopy<Server extends object>(
  work: string,
  target: string,
  { check }: AptPackages<Server>,
): Promise<Server | AptFailure> {
  const root = join(work, 'root');
  // Servers that drop root's rights must be able to read it.
  await chmod(root, 0o755);
  const move = () =>
    rename(root, target).then(
      () => true,
      () => false,
    );
  if (!(await move())) {
    // Another process may have created a copy at the same time, and use it already.
    const existing = await check(target);
    if (!('failure' in existing)) return existing;
    await rm(target, { recursive: true, force: true });
    await move();
  }
  const server = await check(target);
  return 'failure' in server ? { failure: `could not store the copy in ${target}: ${server.failure}` } : server;
}

/** Returns options that redirect everything that apt writes to a private folder. */
async function aptFlags(work: string, statusFile: string, hidden: RegExp, fresh: boolean): Promise<string[]> {
  const status = join(work, 'status');
  // apt does not download packages that are already installed, so hide them from it.
  await writeFile(status, withoutPackages(await readFile(statusFile, 'utf8').catch(() => ''), hidden));
  await copyFile('/var/lib/apt/extended_states', join(work, 'extended_states')).catch(() => undefined);
  const settings = [
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
    'Acquire::Retries=2',
    'Acquire::Languages=none',
    `Dir::Cache=${join(work, 'cache')}`,
    `Dir::State::status=${status}`,
    `Dir::State::extended_states=${join(work, 'extended_states')}`,
  ];
  if (fresh) {
    await mkdir(join(work, 'lists/partial'), { recursive: true });
    settings.push(`Dir::State::lists=${join(work, 'lists')}`);
  }
  return ['-q', ...settings.flatMap((setting) => ['-o', setting])];
}

function apt(
  options: AptFetchOptions,
  cwd: string,
  flags: readonly string[],
  args: readonly string[],
  timeoutMs: number,
): Promise<CommandResult> {
  const env = { ...options.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
  return runCommand(options.aptGet, [...flags, ...args], { env, cwd, timeoutMs });
}

function lastLine({ stdout, stderr }: CommandResult): string {
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line.startsWith('E:')) ?? lines.findLast(Boolean) ?? 'timed out';
}
