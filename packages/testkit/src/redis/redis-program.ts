import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveRedisServer, startTethered } from '@sluice/embedded-redis';
import { Redis, type RedisOptions } from 'ioredis';
import { freePort } from '../ports/free-port.ts';

/** A Redis server with settings of the test, on a port of 127.0.0.1. */
export interface RedisProgram {
  port: number;
  /** A client, which the caller disconnects. */
  connect(): Redis;
  /** Ends the process at once, as a crash does. */
  kill(): Promise<void>;
  /** Stops the process, and continues it later. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

export interface RedisProgramOptions {
  /** Arguments of `redis-server`, e.g. `--appendonly yes`. */
  args?: readonly string[];
  /** The command that starts another program. By default, the program that the test run uses. */
  command?: readonly string[];
  /** By default, a free port. */
  port?: number;
  /** The argument that sets the port. */
  portArgument?: '--port' | '--tls-port';
  /** How the test signs in. */
  client?: RedisOptions;
}

const START_MS = 30_000;

/** Starts a server. @throws with its last output if it does not start */
export async function startRedisProgram(options: RedisProgramOptions = {}): Promise<RedisProgram> {
  const { args = [], portArgument = '--port', client = {} } = options;
  const port = options.port ?? (await freePort());
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-redis-'));
  const command = options.command ?? (await serverCommand());
  const listen = ['--bind', '127.0.0.1', portArgument, String(port), '--dir', folder, '--daemonize', 'no'];
  const server = startTethered([...command, ...args, ...listen], process.env);
  const connect = (): Redis => {
    const redis = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 50, ...client });
    redis.on('error', () => undefined);
    return redis;
  };
  const remove = () => rm(folder, { recursive: true, force: true });
  const pid = await processId(connect()).catch(async (error: unknown) => {
    await server.stop(1_000);
    await remove();
    throw new Error(`The server did not start: ${server.tail()}`, { cause: error });
  });
  return {
    port,
    connect,
    async kill() {
      process.kill(pid, 'SIGKILL');
      await server.exited;
      await remove();
    },
    pause: () => void process.kill(pid, 'SIGSTOP'),
    resume: () => void process.kill(pid, 'SIGCONT'),
    async stop() {
      await server.stop(1_000);
      await remove();
    },
  };
}

async function serverCommand(): Promise<string[]> {
  const { program, libraryPath } = await resolveRedisServer({ env: process.env });
  return [...(libraryPath === undefined ? [] : ['env', `LD_LIBRARY_PATH=${libraryPath}`]), program];
}

async function processId(redis: Redis): Promise<number> {
  const deadline = Date.now() + START_MS;
  try {
    for (;;) {
      const info = await Promise.race([redis.info('server').catch(() => ''), sleep(1_000, '')]);
      const pid = /^process_id:(\d+)/m.exec(info)?.[1];
      if (pid !== undefined) return Number(pid);
      if (Date.now() > deadline) throw new Error('no reply');
      await sleep(20);
    }
  } finally {
    redis.disconnect();
  }
}
