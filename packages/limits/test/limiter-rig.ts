import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { createLimiter, type LimitedRequest, type Limiter } from '../src/limiter.ts';

/** One minute before the end of a month. */
export const START: number = Date.UTC(2026, 0, 31, 23, 59, 0);

export const MAX_LEDGER_ENTRIES = 5;

/** A limiter on the test run's Redis, with its own prefix and a clock that the test controls. */
export interface LimiterRig {
  redis: Redis;
  prefix: string;
  limiter: Limiter;
  now: number;
  /** Builds a request with a new id. */
  request(overrides?: Partial<LimitedRequest>): LimitedRequest;
  /** Sends `times` concurrent requests and counts the admitted ones. */
  admitted(overrides: Partial<LimitedRequest>, times?: number): Promise<number>;
  close(): void;
}

export function limiterRig(): LimiterRig {
  const { redisUrl, prefix } = testRedis();
  const redis = openRedis(redisUrl);
  const limiter = createLimiter(redis, { prefix, maxLedgerEntries: MAX_LEDGER_ENTRIES, now: () => rig.now });
  let ids = 0;
  const rig: LimiterRig = {
    redis,
    prefix,
    limiter,
    now: START,
    request(overrides = {}) {
      ids += 1;
      return { id: `id-${ids}`, owner: 'alice', tokens: 0, nanos: 0, ...overrides };
    },
    async admitted(overrides, times = 1) {
      const decisions = await Promise.all(Array.from({ length: times }, () => limiter.admit(rig.request(overrides))));
      return decisions.filter(({ reached }) => reached === undefined).length;
    },
    close: () => redis.disconnect(),
  };
  return rig;
}
