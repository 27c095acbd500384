import { createLimiter, type Limiter } from '@sluice/limits';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { type PausableRedis, startPausableRedis } from '../../test/pausable-redis.ts';

const usd = 1e9;
const budget = { usd: 20, period: 'total' };
/** One configured key has a budget. The other key has no budget. */
const keys = [
  { name: 'team', key: 'sk-of-the-team', budget },
  { name: 'free', key: 'sk-of-the-free' },
];
let proxy: PausableRedis;
let redis: Redis;
let limiter: Limiter;
let rig: AdminRig;

beforeEach(async () => {
  const { redisUrl } = testRedis();
  proxy = await startPausableRedis(redisUrl);
  rig = await adminRig({ redisUrl: proxy.url, config: { keys } });
  redis = openRedis(redisUrl);
  limiter = createLimiter(redis, { prefix: rig.tasks.prefix });
});
afterEach(async () => {
  await rig.close();
  redis.disconnect();
  await proxy.cut();
});

/** Spends 3.5 dollars with a key and reserves half a dollar. */
async function use(owner: string): Promise<void> {
  const max = { nanos: 20 * usd, period: 'total' as const };
  await limiter.charge({ id: `spent by ${owner}`, owner }, { tokens: 0, nanos: 3.5 * usd });
  await limiter.admit({ id: `held for ${owner}`, owner, tokens: 0, nanos: 0.5 * usd, budget: max });
}

const spending = { spent_usd: 3.5, reserved_usd: 0.5, remaining_usd: 16 };

it('reports spent, reserved, and remaining budget of stored and configured keys, alone and in the list', async () => {
  await rig.createKey('app', { budget });
  for (const name of ['team', 'app']) {
    await use(name);
    expect((await rig.admin('GET', `keys/${name}`)).body).toMatchObject({ name, budget, spending: spending });
  }
  const { body } = await rig.admin('GET', 'keys');
  expect(body['data']).toMatchObject([
    { name: 'team', spending: spending },
    { name: 'free' },
    { name: 'app', spending: spending },
  ]);
  expect((await rig.admin('GET', 'keys/free')).body).not.toHaveProperty('spending');
});

it('reports the higher remainder after a budget is raised, and the reset time of a monthly budget', async () => {
  await rig.createKey('app', { budget });
  await use('app');
  await rig.admin('PATCH', 'keys/app', { budget: { usd: 30 } });
  expect((await rig.admin('GET', 'keys/app')).body['spending']).toEqual({ ...spending, remaining_usd: 26 });
  await rig.admin('PATCH', 'keys/app', { budget: { period: 'month' } });
  const begun = Date.now() / 1_000;
  const { body } = await rig.admin('GET', 'keys/app');
  // The cast is safe because a monthly budget has a reset time.
  const { resets_at: resetsAt } = body['spending'] as { resets_at: number };
  const resets = new Date(resetsAt * 1_000);
  expect([resets.getUTCDate(), resets.getUTCHours(), resetsAt % 3_600]).toEqual([1, 0, 0]);
  expect(resetsAt).toBeGreaterThan(begun);
  expect(resetsAt).toBeLessThan(begun + 32 * 86_400);
});

it('returns 503 for a key with a budget while Redis is down, and shows a key without one', async () => {
  await proxy.cut();
  expect(await rig.admin('GET', 'keys/team')).toMatchObject({
    status: 503,
    body: { error: { code: 'store_unavailable' } },
  });
  expect((await rig.admin('GET', 'keys/free')).status).toBe(200);
});
