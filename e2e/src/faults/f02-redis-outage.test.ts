import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunningRedis } from '@sluice/embedded-redis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { startOwnRedis } from '../own-redis.ts';
import { KEY, type Stack, startStack } from '../stack.ts';

const TASKS = 40;
/** Maximum time until a 503 response, with a margin for a busy machine. */
const QUICK_MS = 5_000;
/** Maximum time from Redis's restart to a new task's start. */
const RESUME_MS = 10_000;

let stack: Stack;
let redis: RunningRedis;
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'sluice-outage-'));
  redis = await startOwnRedis(dataDir);
  stack = await startStack({ redisUrl: redis.url, renderMs: 1_500, workers: 2 });
});
afterEach(async () => {
  await stack.close();
  await redis.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a Redis outage under load', () => {
  it.each([1, 5, 20])(
    'of %i s causes quick 503s; then work resumes and no task is lost',
    async (seconds) => {
      const client = new Client(stack.origin, KEY);
      const checker = new HistoryChecker(client);
      const before = await Promise.all(Array.from({ length: TASKS }, (_, i) => client.create(`before ${i}`, `b-${i}`)));
      const ids = before.map(({ id }) => id);
      await checker.poll(ids);

      await redis.stop();
      const end = Date.now() + seconds * 1_000;
      let rejections = 0;
      while (Date.now() < end) {
        const started = Date.now();
        const create = await client.fetch('/v1/videos', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ prompt: 'meanwhile' }),
        });
        const retrieve = await client.fetch(`/v1/videos/${ids[0]}`);
        expect([create.status, retrieve.status]).toEqual([503, 503]);
        expect(retrieve.headers.get('retry-after')).toMatch(/^\d+$/);
        expect(Date.now() - started).toBeLessThan(2 * QUICK_MS);
        expect((await fetch(`${stack.origin}/health/live`)).status).toBe(200);
        rejections += 1;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      expect(rejections).toBeGreaterThan(0);

      redis = await startOwnRedis(dataDir);
      const upAgain = Date.now();
      const fresh = await client.create('after the outage', 'after');
      while (((await client.retrieve(fresh.id))?.status ?? 'queued') === 'queued' && Date.now() - upAgain < 30_000) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(Date.now() - upAgain).toBeLessThan(RESUME_MS);
      const findings = await checker.watch([...ids, fresh.id], 30_000);
      expect(findings).toMatchObject({ lost: [], broken: [], open: [] });
      expect([...findings.ended.values()].filter(({ status }) => status !== 'completed')).toEqual([]);
      const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
      expect(submissions.filter(({ applied }) => applied !== 1)).toEqual([]);
    },
    120_000,
  );
});
