import { access, mkdir, readFile, stat } from 'node:fs/promises';
import { constants } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fetchAptRedis } from './fetch-apt-redis.ts';
import {
  findOnPath,
  findUnpackedServer,
  isExecutable,
  readServerVersion,
  SERVER_PROGRAMS,
} from './probe-redis-server.ts';
import { RedisNotFoundError, type TriedLocation } from './redis-not-found-error.ts';
import { isSupportedRedis, OLDEST_REDIS, type RedisOrigin, type RedisServer } from './redis-server.ts';
import { runCommand } from './run-command.ts';

export interface ResolveRedisOptions {
  /** Reads `SLUICE_REDIS_SERVER`, `PATH`, `XDG_CACHE_HOME`, and `HOME`. */
  env: NodeJS.ProcessEnv;
  /** Folder for the private copy if the user's cache folder is not writable. */
  spareCacheDir?: string;
  /** Called when a server is skipped and when a slow step starts. */
  onProgress?: (line: string) => void;
}

const IMAGE = 'valkey/valkey:8';

/**
 * Finds a Redis-compatible server to run privately. Tries, in this order: `SLUICE_REDIS_SERVER`, PATH, the private copy
 * that an earlier run fetched, a new private copy fetched with apt, then Homebrew, then a container.
 * @throws {RedisNotFoundError} if none is found
 */
export async function resolveRedisServer(options: ResolveRedisOptions): Promise<RedisServer> {
  const { env, onProgress = () => undefined } = options;
  const tried: TriedLocation[] = [{ place: 'REDIS_URL', outcome: 'not set' }];

  /** Returns the program if it runs and is new enough. Otherwise records the problem. */
  const accept = async (program: string, origin: RedisOrigin, place: string, note: string) => {
    const version = await readServerVersion(program);
    if (version && isSupportedRedis(version)) return { program, version, origin, note } satisfies RedisServer;
    tried.push({ place, outcome: version ? `${program} is ${version}` : `${program} does not run` });
    if (version) {
      onProgress(`${program} is version ${version}. Sluice needs ${OLDEST_REDIS} or newer. Trying other servers…`);
    }
    return undefined;
  };

  const configured = env.SLUICE_REDIS_SERVER;
  if (configured) {
    const server = await accept(configured, 'setting', 'SLUICE_REDIS_SERVER', 'from SLUICE_REDIS_SERVER');
    // If `SLUICE_REDIS_SERVER` is wrong, another program must not be used, because that would hide the mistake.
    if (server) return server;
    throw new RedisNotFoundError(tried);
  }

  let onPath = false;
  for (const name of SERVER_PROGRAMS) {
    const program = await findOnPath(name, env.PATH);
    if (!program) continue;
    onPath = true;
    const server = await accept(program, 'path', 'PATH', 'found on PATH');
    if (server) return server;
  }
  if (!onPath) tried.push({ place: 'PATH', outcome: 'none' });

  const copy = await privateCopy(options, tried, onProgress);
  if (copy) return copy;

  for (const program of await brewServers(env)) {
    const server = await accept(program, 'brew', 'brew', 'from Homebrew');
    if (server) return server;
  }

  const docker = await findOnPath('docker', env.PATH);
  const info =
    docker && (await runCommand(docker, ['version', '--format', '{{.Server.Version}}'], { env, timeoutMs: 5_000 }));
  if (docker && info && info.code === 0) {
    return { program: docker, image: IMAGE, version: IMAGE, origin: 'docker', note: 'in a container' };
  }
  tried.push({ place: 'docker', outcome: docker ? 'no daemon' : 'not installed' });
  throw new RedisNotFoundError(tried);
}

async function privateCopy(
  { env, spareCacheDir }: ResolveRedisOptions,
  tried: TriedLocation[],
  onProgress: (line: string) => void,
): Promise<RedisServer | undefined> {
  const distro = await readDistro();
  const folders = [cacheHome(env), spareCacheDir].filter((folder) => folder !== undefined);
  const copies = folders.map((folder) => join(folder, `${distro.id}-${process.arch}`));
  for (const copy of copies) {
    const server = await findUnpackedServer(copy);
    const version = server && (await readServerVersion(server.program, server.libraryPath));
    if (server && version && isSupportedRedis(version)) {
      return { ...server, version, origin: 'cache', note: 'private copy, nothing installed' };
    }
  }
  tried.push({ place: folders[0] ?? 'cache', outcome: 'empty' });

  const aptGet = process.platform === 'linux' ? await findOnPath('apt-get', env.PATH) : undefined;
  if (!aptGet) {
    tried.push({ place: 'apt', outcome: 'not a Debian system' });
    return undefined;
  }
  const target = await firstWritable(copies);
  if (!target) {
    tried.push({ place: 'apt', outcome: 'no writable folder for a copy' });
    return undefined;
  }
  onProgress(`Fetching a private copy with apt into ${target} (first run only)…`);
  const startedAt = performance.now();
  const result = await fetchAptRedis({ aptGet, target, env });
  if ('failure' in result) {
    tried.push({ place: 'apt', outcome: result.failure });
    return undefined;
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const note = `fetched from your ${distro.name} mirror, ${seconds} s, nothing installed`;
  return { ...result.server, version: result.version, origin: 'apt', note };
}

function cacheHome(env: NodeJS.ProcessEnv): string | undefined {
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return join(env.XDG_CACHE_HOME, 'sluice/redis');
  const home = env.HOME || homedir();
  return isAbsolute(home) ? join(home, '.cache/sluice/redis') : undefined;
}

/** Returns the first folder whose parent is writable or can be created. */
async function firstWritable(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const parent = join(folder, '..');
    try {
      await mkdir(parent, { recursive: true, mode: 0o700 });
      await access(parent, constants.W_OK);
      if ((await stat(parent)).isDirectory()) return folder;
    } catch {
      // The folder is read-only or belongs to another user; try the next one.
    }
  }
  return undefined;
}

async function readDistro(): Promise<{ id: string; name: string }> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const field = (name: string) => new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm').exec(text)?.[1];
  const id = [field('ID') ?? process.platform, field('VERSION_ID')].filter(Boolean).join('-');
  const name = field('ID') === 'ubuntu' ? 'Ubuntu' : 'Debian';
  return { id: id.replaceAll(/[^\w.-]/g, '_'), name };
}

async function brewServers(env: NodeJS.ProcessEnv): Promise<string[]> {
  if (process.platform !== 'darwin') return [];
  const programs: string[] = [];
  for (const [formula, name] of [
    ['redis', 'redis-server'],
    ['valkey', 'valkey-server'],
  ] as const) {
    const { code, stdout } = await runCommand('brew', ['--prefix', formula], { env, timeoutMs: 10_000 });
    const program = join(stdout.trim(), 'bin', name);
    if (code === 0 && (await isExecutable(program))) programs.push(program);
  }
  return programs;
}
