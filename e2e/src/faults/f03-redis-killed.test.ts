import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunningRedis } from '@sluice/embedded-redis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { killRedis, startOwnRedis } from '../own-redis.ts';
import { KEY, type Stack, startStack } from '../stack.ts';
import { endings, NO_VIOLATIONS, violationsIn } from './violations.ts';

let stack: Stack;
let redis: RunningRedis;
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'sluice-killed-'));
  redis = await startOwnRedis(dataDir);
  stack = await startStack({ redisUrl: redis.url, config: { log: { level: 'warn' } } });
});
afterEach(async () => {
  await stack.close();
  await redis.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const ROUNDS = 3;
/** Number of creates that finish before Redis is killed, and of creates in flight at that time. */
const FINISHED = 12;
const IN_FLIGHT = 20;

describe('kill -9 of Redis under load', () => {
  it('loses no acknowledged task, and each ends once', async () => {
    const client = new Client(stack.origin, KEY);
    const checker = new HistoryChecker(client);
    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const enough = Promise.withResolvers<void>();
      let finished = 0;
      const creating = Array.from({ length: FINISHED + IN_FLIGHT }, async (_, i) => {
        const { id } = await client.create(`video ${i} of round ${round}`, `${round}-${i}`);
        ids.push(id);
        finished += 1;
        if (finished === FINISHED) enough.resolve();
      });
      await enough.promise;
      await killRedis(redis);
      const acknowledged = [...ids];
      redis = await startOwnRedis(dataDir, redis.address);
      for (const id of acknowledged) await expect.poll(() => client.retrieve(id)).toBeDefined();
      await Promise.all(creating);
      await checker.poll(ids);
    }
    const findings = await checker.watch(ids, 60_000);
    expect(new Set(ids).size).toBe(ROUNDS * (FINISHED + IN_FLIGHT));
    expect(await violationsIn(ids, findings, stack.sandboxUrl)).toEqual(NO_VIOLATIONS);
    expect(endings(ids, findings)).toEqual(ids.map(() => 'completed'));
  }, 180_000);
});
