import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryRedis, type RedisAddress, RedisReplyError } from './query-redis.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { endLeftoverRedis } from './end-leftover-redis.ts';
import type { RedisServer } from './redis-server.ts';
import { runCommand } from './run-command.ts';
import { startTethered, type TetheredProcess } from './tethered-process.ts';

export interface StartRedisOptions {
  server: RedisServer;
  /** Folder for data, socket, and lock; created if missing. */
  dataDir: string;
  /** If true (the default), each write is synced to disk before it is acknowledged. If false, nothing is stored. */
  appendOnly?: boolean;
  /** Startup timeout in milliseconds, including the time to load the data file. The default is 60,000. */
  startTimeoutMs?: number;
  /** The previous address of a restarted server, so that clients can reconnect. By default, a new address is chosen. */
  address?: RedisAddress;
  env: NodeJS.ProcessEnv;
}

export interface RunningRedis {
  /** `unix:///…/redis.sock`, or `redis://:…@127.0.0.1:…` for a container. */
  url: string;
  socketPath: string | undefined; // Undefined for a container.
  address: RedisAddress;
  version: string;
  /** Process id of the server. For a container, its process id inside the container. */
  pid: number;
  /** Resolves when the server has exited for any reason. */
  exited: Promise<void>;
  tail(): string;
  /** Resolves when the server has saved its data and exited. */
  stop(): Promise<void>;
}

/** Linux allows 107 bytes, and macOS allows 103. */
const MAX_SOCKET_PATH_LENGTH = 100;
const STOP_GRACE_MS = 10_000;

/**
 * Starts a private Redis on a data folder. It has no TCP port and no eviction, and only this user can open its socket.
 * On Ctrl-C, it keeps running so that work in flight can be saved. It exits when this process exits.
 * @throws {DataFolderLockedError} while another gateway uses the folder; an error with the server's last output if it
 * does not start
 */
export async function startRedis(options: StartRedisOptions): Promise<RunningRedis> {
  const { server } = options;
  const dataDir = resolve(options.dataDir);
  const folder = join(dataDir, 'redis');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const socketPath = await chooseSocketPath(dataDir, options.address);
  const lock = await lockDataFolder(dataDir, socketPath);
  const cleanUp = async () => {
    if (dirname(socketPath) !== dataDir) await rm(dirname(socketPath), { recursive: true, force: true });
    await lock.release();
  };
  try {
    const leftover = lock.staleSocketPath ?? socketPath;
    await endLeftoverRedis(leftover, STOP_GRACE_MS);
    if (dirname(leftover) !== dataDir && leftover !== socketPath) {
      await rm(dirname(leftover), { recursive: true, force: true });
    }
    const launch = server.image ? await containerLaunch(options, folder) : programLaunch(options, folder, socketPath);
    const tethered = startTethered(launch.argv, { ...options.env, LC_ALL: 'C' });
    const address = launch.findAddress;
    const up = await waitUntilUp(tethered, address, options.startTimeoutMs ?? 60_000);
    return {
      url:
        'path' in up.address
          ? `unix://${up.address.path}`
          : `redis://:${up.address.password}@127.0.0.1:${up.address.port}`,
      socketPath: 'path' in up.address ? up.address.path : undefined,
      address: up.address,
      version: up.version,
      pid: up.pid,
      exited: tethered.exited.then(cleanUp),
      tail: () => tethered.tail(),
      stop: async () => {
        await tethered.stop(STOP_GRACE_MS);
        await cleanUp();
      },
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

interface Launch {
  argv: string[];
  /** Returns undefined until the address is known. */
  findAddress: () => Promise<RedisAddress | undefined>;
}

function programLaunch(options: StartRedisOptions, folder: string, socketPath: string): Launch {
  const { server } = options;
  const libraries = server.libraryPath ? ['env', `LD_LIBRARY_PATH=${server.libraryPath}`] : [];
  const listen = ['--port', '0', '--unixsocket', socketPath, '--unixsocketperm', '700', '--dir', folder];
  return {
    argv: [...libraries, server.program, ...listen, ...settings(options)],
    findAddress: () => Promise.resolve({ path: socketPath }),
  };
}

/** On macOS, a container cannot share a socket with the host, so it listens on a loopback port with a password. */
async function containerLaunch(options: StartRedisOptions, folder: string): Promise<Launch> {
  const { server, address, env } = options;
  const name = `sluice-redis-${randomUUID().slice(0, 8)}`;
  const { port: requestedPort = '', password = randomUUID() } = address && 'port' in address ? address : {};
  const user = process.getuid && process.getgid ? ['--user', `${process.getuid()}:${process.getgid()}`] : [];
  const run = [
    'run',
    '--rm',
    '--name',
    name,
    ...user,
    '-v',
    `${folder}:/data`,
    '-p',
    `127.0.0.1:${requestedPort}:6379`,
  ];
  const image = server.image ?? '';
  return {
    argv: [
      server.program,
      ...run,
      image,
      'valkey-server',
      '--dir',
      '/data',
      '--requirepass',
      password,
      ...settings(options),
    ],
    findAddress: async () => {
      const { code, stdout } = await runCommand(server.program, ['port', name, '6379/tcp'], { env, timeoutMs: 5_000 });
      const port = code === 0 ? /:(\d+)\s*$/m.exec(stdout)?.[1] : undefined;
      return port ? { port: Number(port), password } : undefined;
    },
  };
}

/** With `hz 100`, the queue's blocking commands time out at most 10 ms late, not 100 ms. */
function settings({ appendOnly = true }: StartRedisOptions): string[] {
  const file = appendOnly ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  return [...file, '--save', '', '--maxmemory-policy', 'noeviction', '--hz', '100', '--loglevel', 'warning'];
}

async function waitUntilUp(
  tethered: TetheredProcess,
  findAddress: Launch['findAddress'],
  timeoutMs: number,
): Promise<{ address: RedisAddress; version: string; pid: number }> {
  const until = Date.now() + timeoutMs;
  const ended = tethered.exited.then(() => true);
  let last = 'no reply';
  do {
    const address = await findAddress();
    if (address) {
      try {
        await queryRedis(address, ['PING'], 2_000);
        const info = String(await queryRedis(address, ['INFO', 'server'], 2_000));
        const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
        const version = field('valkey_version') ?? field('redis_version') ?? '';
        return { address, version, pid: Number(field('process_id')) };
      } catch (error) {
        // A server replies `LOADING` while it loads its data. Before that, it accepts no connections.
        if (error instanceof RedisReplyError) last = error.message;
      }
    }
  } while (!(await Promise.race([ended, sleep(10, false)])) && Date.now() < until);
  await tethered.stop(STOP_GRACE_MS);
  throw new Error(`The private Redis did not start: ${tethered.tail() || last}`);
}

async function chooseSocketPath(dataDir: string, requested: RedisAddress | undefined): Promise<string> {
  if (requested && 'path' in requested) {
    await mkdir(dirname(requested.path), { recursive: true, mode: 0o700 });
    return requested.path;
  }
  const path = join(dataDir, 'redis.sock');
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_LENGTH) return path;
  return join(await mkdtemp(join(tmpdir(), 'sluice-')), 'redis.sock');
}
