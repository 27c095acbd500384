import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findUnpackedServer, readServerVersion } from './probe-redis-server.ts';
import type { UnpackedServer } from './probe-redis-server.ts';
import { isSupportedRedis } from './redis-server.ts';
import { type CommandResult, runCommand } from './run-command.ts';
import { withoutRedis } from './without-redis.ts';

/** The private copy, or the reason why it could not be created. */
export type AptFetch = { server: UnpackedServer; version: string } | { failure: string };

export interface AptFetchOptions {
  aptGet: string;
  /** Folder for the copy. Its parent must be writable. */
  target: string;
  env: NodeJS.ProcessEnv;
  /** Path of dpkg's status file. */
  statusFile?: string;
}

/** Sets of packages that may contain a server, in order of preference. */
const PACKAGE_SETS = [
  { install: 'redis-server', closure: ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'] },
  { install: 'valkey-server', closure: ['valkey-server', 'valkey-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'] },
] as const;

/**
 * Uses apt to download a private copy of Redis into a folder of the user. It installs nothing, enables no service, and
 * does not need root. apt verifies the signed index and the hashes. If the machine's package lists do not work,
 * downloads lists into a temporary folder.
 */
export async function fetchAptRedis(options: AptFetchOptions): Promise<AptFetch> {
  await mkdir(dirname(options.target), { recursive: true, mode: 0o700 });
  const work = await mkdtemp(`${options.target}.`);
  try {
    let failure = 'no package';
    for (const fresh of [false, true]) {
      const flags = await aptFlags(work, options.statusFile ?? '/var/lib/dpkg/status', fresh);
      if (fresh) {
        const update = await apt(options, work, flags, ['update'], 180_000);
        if (update.code !== 0) return { failure: `apt-get update: ${lastLine(update)}` };
      }
      for (const set of PACKAGE_SETS) {
        const result = await fetchSet(options, work, flags, set);
        if (!('failure' in result)) return await storeCopy(work, options.target);
        failure = result.failure;
      }
    }
    return { failure };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fetchSet(
  options: AptFetchOptions,
  work: string,
  flags: readonly string[],
  set: (typeof PACKAGE_SETS)[number],
): Promise<AptFetch> {
  const archives = join(work, 'cache/archives');
  const install = ['install', '-y', '--download-only', '--no-install-recommends', set.install];
  // If apt cannot resolve the dependencies (e.g. because of half-installed packages), try a fixed list of packages.
  const attempts = [install, ['download', ...set.closure]];
  let failure = '';
  for (const attempt of attempts) {
    await rm(archives, { recursive: true, force: true });
    await mkdir(join(archives, 'partial'), { recursive: true });
    const fetched = await apt(options, archives, flags, attempt, 180_000);
    if (fetched.code !== 0) {
      failure = `apt-get ${attempt[0]}: ${lastLine(fetched)}`;
      continue;
    }
    const unpacked = await unpack(work, archives, options.env);
    if (!('failure' in unpacked)) return unpacked;
    failure = unpacked.failure;
  }
  return { failure };
}

async function unpack(work: string, archives: string, env: NodeJS.ProcessEnv): Promise<AptFetch> {
  const root = join(work, 'root');
  await rm(root, { recursive: true, force: true });
  await mkdir(root);
  for (const name of await readdir(archives)) {
    if (!name.endsWith('.deb')) continue;
    const result = await runCommand('dpkg-deb', ['-x', join(archives, name), root], { env, timeoutMs: 60_000 });
    if (result.code !== 0) return { failure: `dpkg-deb: ${lastLine(result)}` };
  }
  const server = await findUnpackedServer(root);
  if (!server) return { failure: 'the packages contain no server' };
  const version = await readServerVersion(server.program, server.libraryPath);
  if (!version) return { failure: 'the downloaded server does not run here' };
  return isSupportedRedis(version) ? { server, version } : { failure: `only Redis ${version} is available` };
}

async function storeCopy(work: string, target: string): Promise<AptFetch> {
  await rm(target, { recursive: true, force: true });
  // If another process created a copy at the same time, use that copy.
  await rename(join(work, 'root'), target).catch(() => undefined);
  const server = await findUnpackedServer(target);
  const version = server && (await readServerVersion(server.program, server.libraryPath));
  return server && version ? { server, version } : { failure: `could not store the copy in ${target}` };
}

/** Returns options that redirect everything that apt writes to a private folder. */
async function aptFlags(work: string, statusFile: string, fresh: boolean): Promise<string[]> {
  const status = join(work, 'status');
  // apt does not download packages that are already installed, so hide an installed Redis from it.
  await writeFile(status, withoutRedis(await readFile(statusFile, 'utf8').catch(() => '')));
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
