import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunningRedis } from '@sluice/embedded-redis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { killRedis, startOwnRedis } from '../own-redis.ts';
import { KEY, type Stack, startStack } from '../stack.ts';
import { endings, SOUND, decisionOn } from './decision.ts';

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
/** Creates that are answered before Redis dies, and that are under way when it does. */
const ANSWERED = 12;
const UNDER_WAY = 20;

describe('kill -9 of Redis under load', () => {
  it('loses nothing that was acknowledged: it comes back with every task, which ends once', async () => {
    const client = new Client(stack.origin, KEY);
    const checker = new HistoryChecker(client);
    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const enough = Promise.withResolvers<void>();
      let answered = 0;
      const creating = Array.from({ length: ANSWERED + UNDER_WAY }, async (_, i) => {
        const { id } = await client.create(`film ${i} of round ${round}`, `${round}-${i}`);
        ids.push(id);
        answered += 1;
        if (answered === ANSWERED) enough.resolve();
      });
      await enough.promise;
      await killRedis(redis);
      const acknowledged = [...ids];
      redis = await startOwnRedis(dataDir, redis.address);
      for (const id of acknowledged) await expect.poll(() => client.retrieve(id), { timeout: 20_000 }).toBeDefined();
      await Promise.all(creating);
      await checker.look(ids);
    }
    const findings = await checker.watch(ids, 60_000);
    expect(new Set(ids).size).toBe(ROUNDS * (ANSWERED + UNDER_WAY));
    expect(await decisionOn(ids, findings, stack.sandboxUrl)).toEqual(SOUND);
    expect(endings(ids, findings)).toEqual(ids.map(() => 'completed'));
  }, 180_000);
});
