import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLimiter, type Limiter } from './limiter.ts';
import { withSpending } from './with-spending.ts';

const usd = 1e9;
const app = { name: 'app' };
let redis: Redis;
let limiter: Limiter;
let now: number;

beforeEach(() => {
  const { redisUrl, prefix } = testRedis();
  redis = openRedis(redisUrl);
  now = Date.UTC(2028, 1, 28, 23, 59, 59, 999);
  limiter = createLimiter(redis, { prefix, now: () => now });
});
afterEach(() => redis.disconnect());

/** Records spending and a reservation for the key `app`. */
async function use({ spent = 0, reserved = 0 }): Promise<void> {
  await limiter.charge({ id: `spent-${now}`, owner: 'app' }, { tokens: 0, nanos: spent * usd });
  const budget = { nanos: 1_000 * usd, period: 'total' as const };
  await limiter.admit({ id: `reserved-${now}`, owner: 'app', tokens: 0, nanos: reserved * usd, budget });
}

it('returns a key without a budget unchanged', async () => {
  expect(await withSpending(limiter, app, undefined)).toBe(app);
});

it.each([
  ['day', Date.UTC(2028, 1, 29)],
  ['month', Date.UTC(2028, 2, 1)],
  ['total', undefined],
] as const)('shows spending, reservation, remainder, and end of a %s budget', async (period, end) => {
  await use({ spent: 1.25, reserved: 0.5 });
  expect(await withSpending(limiter, app, { usd: 20, period })).toEqual({
    name: 'app',
    spending: {
      spent_usd: 1.25,
      reserved_usd: 0.5,
      remaining_usd: 18.25,
      ...(end !== undefined && { resets_at: end / 1_000 }),
    },
  });
});

it('resets on the next day, month, and year', async () => {
  now = Date.UTC(2028, 11, 31, 12);
  await use({ spent: 3 });
  const daily = { usd: 5, period: 'day' } as const;
  const monthly = { usd: 5, period: 'month' } as const;
  now = Date.UTC(2029, 0, 1);
  for (const [budget, resetsAt] of [
    [daily, Date.UTC(2029, 0, 2)],
    [monthly, Date.UTC(2029, 1, 1)],
  ] as const) {
    const { spending } = await withSpending(limiter, app, budget);
    expect(spending).toEqual({ spent_usd: 0, reserved_usd: 0, remaining_usd: 5, resets_at: resetsAt / 1_000 });
  }
  const { spending } = await withSpending(limiter, app, { usd: 5, period: 'total' });
  expect(spending).toEqual({ spent_usd: 3, reserved_usd: 0, remaining_usd: 2 });
});

it('shows a remainder of zero for an overdrawn budget', async () => {
  await use({ spent: 7 });
  const { spending } = await withSpending(limiter, app, { usd: 5, period: 'month' });
  expect(spending).toMatchObject({ spent_usd: 7, remaining_usd: 0 });
});
