import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveRedisServer } from '@sluice/embedded-redis';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SupervisedRedis, superviseRedis } from './supervise-redis.ts';

let dataDir: string;
let supervised: SupervisedRedis | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-keep-'));
});
afterEach(async () => {
  await supervised?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Kills a supervised Redis `deaths` times and returns the reported waits. */
async function waitsAfterDeaths(deaths: number, steadyMs: number, backOffMs: number[]): Promise<number[]> {
  const waits: number[] = [];
  const onLine = (line: string) => {
    const wait = /Restarting it in (\d+) ms/.exec(line)?.[1];
    if (wait !== undefined) waits.push(Number(wait));
  };
  const server = await resolveRedisServer({ env: process.env, spareCacheDir: join(dataDir, 'cache') });
  supervised = await superviseRedis({ server, dataDir, env: process.env, backOffMs, steadyMs, onLine });
  const redis = new Redis(supervised.url.slice('unix://'.length));
  redis.on('error', () => undefined);
  for (let death = 1; death <= deaths; death += 1) {
    process.kill(Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]), 'SIGKILL');
    while (waits.length < death) await sleep(10);
  }
  redis.disconnect();
  return waits;
}

describe('superviseRedis', () => {
  it('waits longer after each death', async () => {
    expect(await waitsAfterDeaths(3, 3_600_000, [0, 1, 60_000])).toEqual([0, 1, 60_000]);
  });

  it('resets the wait after Redis has run steadily', async () => {
    expect(await waitsAfterDeaths(2, 0, [1, 60_000])).toEqual([1, 1]);
  });
});
