import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryRedis } from './query-redis.ts';
import type { RedisServer } from './redis-server.ts';
import { resolveRedisServer } from './resolve-redis-server.ts';
import { type RunningRedis, startRedis } from './start-redis.ts';

let server: RedisServer;
let dataDir: string;
const started: RunningRedis[] = [];

beforeAll(async () => {
  server = await resolveRedisServer({ env: process.env, spareCacheDir: join(tmpdir(), 'sluice-redis') });
});
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-er-'));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((redis) => redis.stop()));
  await rm(dataDir, { recursive: true, force: true });
});

async function start(folder = dataDir): Promise<RunningRedis> {
  const redis = await startRedis({ server, dataDir: folder, env: process.env });
  started.push(redis);
  return redis;
}

async function send(redis: RunningRedis, ...command: string[]) {
  return queryRedis({ path: redis.socketPath ?? '' }, command, 5_000);
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts a Redis on the folder from another process. The process prints the server's pid and keeps running. */
async function startElsewhere(folder: string) {
  const program = `
    import { startRedis } from ${JSON.stringify(new URL('./start-redis.ts', import.meta.url).href)};
    const redis = await startRedis({ server: ${JSON.stringify(server)}, dataDir: ${JSON.stringify(folder)}, env: process.env });
    console.log(redis.pid);
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line]: unknown[] = await once(child.stdout, 'data');
  return { child, redisPid: Number(String(line)) };
}

describe('startRedis', () => {
  it('listens on a socket that only this user can open, and evicts nothing', async () => {
    const redis = await start();
    expect(await send(redis, 'PING')).toBe('PONG');
    expect((await stat(redis.socketPath ?? '')).mode & 0o777).toBe(0o700);
    expect(await send(redis, 'CONFIG', 'GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    expect(await send(redis, 'CONFIG', 'GET', 'port')).toEqual(['port', '0']);
    expect(redis.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('syncs each write before its reply, as docker-compose.yml does', async () => {
    expect(await send(await start(), 'CONFIG', 'GET', 'appendfsync')).toEqual(['appendfsync', 'always']);
    const compose = await readFile(new URL('../../../docker-compose.yml', import.meta.url), 'utf8');
    expect(compose).toContain("--appendonly, 'yes', --appendfsync, always,");
  });

  it('preserves acknowledged writes over a restart', async () => {
    const first = await start();
    await send(first, 'SET', 'paper', 'boat');
    await first.stop();
    expect(isRunning(first.pid)).toBe(false);
    expect(await send(await start(), 'GET', 'paper')).toBe('boat');
  });

  it('resolves `exited` when the server dies, and can be started again', async () => {
    const redis = await start();
    await send(redis, 'SET', 'paper', 'boat');
    process.kill(redis.pid, 'SIGKILL');
    await redis.exited;
    expect(await send(await start(), 'GET', 'paper')).toBe('boat');
  });

  it('leaves no process when its owner is killed', async () => {
    const { child, redisPid } = await startElsewhere(dataDir);
    expect(isRunning(redisPid)).toBe(true);
    child.kill('SIGKILL');
    await until(() => !isRunning(redisPid));
  });

  it('takes over the folder and data of a killed owner', async () => {
    const { child } = await startElsewhere(dataDir);
    await queryRedis({ path: join(dataDir, 'redis.sock') }, ['SET', 'paper', 'boat'], 5_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await send(await start(), 'GET', 'paper')).toBe('boat');
  });

  it('rejects a folder that another gateway uses, with its process id', async () => {
    const { child } = await startElsewhere(dataDir);
    await expect(start()).rejects.toThrow(`process ${child.pid}`);
    child.kill('SIGKILL');
  });

  it('chooses a short socket path for a long data folder', async () => {
    const redis = await start(join(dataDir, 'd'.repeat(120)));
    expect(Buffer.byteLength(redis.socketPath ?? '')).toBeLessThanOrEqual(100);
    expect(await send(redis, 'PING')).toBe('PONG');
    await redis.stop();
    await expect(stat(redis.socketPath ?? '')).rejects.toThrow('ENOENT');
  });

  it("reports the server's last output if it does not start, and releases the folder", async () => {
    const broken = { ...server, program: '/bin/sh', libraryPath: '' };
    await expect(startRedis({ server: broken, dataDir, env: process.env })).rejects.toThrow(/did not start: .*option/i);
    await expect(readFile(join(dataDir, 'lock'))).rejects.toThrow('ENOENT');
  });
});
