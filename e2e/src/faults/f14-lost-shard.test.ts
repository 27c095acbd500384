import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunningRedis } from '@sluice/embedded-redis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { killRedis, startOwnRedis } from '../own-redis.ts';
import { KEY, type Stack, startStack } from '../stack.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';

const TASKS = 60;
/** The digit of the shard whose server dies; see `packages/tasks/src/shards/shard-of.ts`. */
const LOST = '1';

let dirs: string[];
let servers: RunningRedis[];
let receiver: Receiver;
let stack: Stack;

beforeEach(async () => {
  dirs = await Promise.all([0, 1, 2].map(() => mkdtemp(path.join(tmpdir(), 'sluice-shard-'))));
  servers = await Promise.all(dirs.map((dir) => startOwnRedis(dir)));
  receiver = await startReceiver();
  const [url = '', ...shards] = servers.map((server) => server.url);
  stack = await startStack({
    redisUrl: '',
    workers: 2,
    renderMs: 3_000,
    config: { redis: { prefix: 'sluice', url, shards }, webhooks: { allow: [receiver.origin], poll_ms: 50 } },
  });
});
afterEach(async () => {
  await stack.close();
  receiver.close();
  await Promise.all(servers.map((server) => server.stop()));
  await Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true })));
});

it('the loss of one of three shards delays only its tasks', async () => {
  const client = new Client(stack.origin, KEY);
  const checker = new HistoryChecker(client);
  const registered = await client.fetch('/v1/webhooks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${receiver.origin}/hook` }),
  });
  expect(registered.status).toBeLessThan(300);
  const videos = await Promise.all(Array.from({ length: TASKS }, (_, i) => client.create(`shard ${i}`, `s-${i}`)));
  const ids = videos.map(({ id }) => id);
  const lost = ids.filter((id) => id.startsWith(`video_${LOST}`));
  const others = ids.filter((id) => !lost.includes(id));
  expect(lost.length).toBeGreaterThan(5);
  expect(new Set(ids.map((id) => id.charAt(6)))).toEqual(new Set(['0', '1', '2']));

  const [, dying] = servers;
  if (!dying) throw new Error('there is no second server');
  await killRedis(dying);
  const meanwhile = await checker.watch(others, 60_000);
  expect(meanwhile).toMatchObject({ lost: [], broken: [], open: [] });
  const away = await client.fetch(`/v1/videos/${lost[0]}`);
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  // A request without an idempotency key goes to another shard.
  const fresh = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const body = JSON.stringify({ prompt: `meanwhile ${index}`, seconds: '1' });
      const headers = { 'content-type': 'application/json' };
      return (await client.fetch('/v1/videos', { method: 'POST', headers, body })).status;
    }),
  );
  expect(fresh).toEqual(fresh.map(() => 200));

  servers[1] = await startOwnRedis(dirs[1] ?? '', dying.address);
  const findings = await checker.watch(ids, 60_000);
  expect(findings).toMatchObject({ lost: [], broken: [], open: [] });
  expect([...findings.ended.values()].filter(({ status }) => status !== 'completed')).toEqual([]);
  const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
  expect(submissions.filter(({ applied }) => applied !== 1)).toEqual([]);
  // The registry of webhooks is on the home, and the ends of tasks are moved there.
  const eventIds = () => new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id']));
  await expect.poll(() => eventIds().size).toBeGreaterThanOrEqual(TASKS);
}, 180_000);
