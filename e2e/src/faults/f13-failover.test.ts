import { type SentinelGroup, startSentinelGroup } from '@sluice/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { KEY, type Stack, startStack } from '../stack.ts';

const TASKS = 60;
/** The load continues for some time after the failover. */
const LOAD_MS = 12_000;

let group: SentinelGroup;
let stack: Stack;

beforeEach(async () => {
  group = await startSentinelGroup({ args: ['--appendonly', 'yes'] });
  const { sentinels, name } = group;
  const redis = { prefix: 'sluice', sentinels, sentinel_name: name, replicas: 1 };
  stack = await startStack({ redisUrl: '', workers: 2, renderMs: 1_500, config: { redis } });
});
afterEach(async () => {
  await stack.close();
  await group.stop();
});

it('a Sentinel failover under load loses and repeats no task', async () => {
  const client = new Client(stack.origin, KEY);
  const checker = new HistoryChecker(client);
  const started = Date.now();
  // Retries each request with its idempotency key, as clients should.
  const created = Array.from({ length: TASKS }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, (LOAD_MS * index) / TASKS));
    return client.create(`failover ${index}`, `failover-${index}`);
  });
  await new Promise((resolve) => setTimeout(resolve, LOAD_MS / 4));
  await group.primary.kill();
  await group.failedOver(group.primary.port);
  const failedOverMs = Date.now() - started - LOAD_MS / 4;
  // Without a replica, no task would be accepted, because a further failover could lose it.
  await group.restart(group.primary.port);
  const ids = (await Promise.all(created)).map(({ id }) => id);

  const findings = await checker.watch(ids, 120_000);
  expect(findings).toMatchObject({ lost: [], broken: [], open: [] });
  expect([...findings.ended.values()].filter(({ status }) => status !== 'completed')).toEqual([]);
  const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
  expect(submissions.filter(({ applied }) => applied !== 1)).toEqual([]);
  expect(submissions.length).toBe(TASKS);
  expect(failedOverMs).toBeLessThan(30_000);
}, 360_000);
