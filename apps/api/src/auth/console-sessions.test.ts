import { randomBytes } from 'node:crypto';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleSessions, createConsoleSessions } from './console-sessions.ts';

const SESSION_MS = 60_000;
const BOB = { role: 'holder', name: 'bob', keyHash: 'hash', userAgent: 'test' } as const;

let redis: Redis;
let prefix: string;
let now: number;
let sessions: ConsoleSessions;
beforeEach(() => {
  const test = testRedis();
  prefix = test.prefix;
  redis = openRedis(test.redisUrl);
  now = Date.now();
  sessions = createConsoleSessions({ redis, prefix, now: () => now, randomBytes, sessionMs: SESSION_MS });
});
afterEach(() => redis.disconnect());

describe('countAttempt', () => {
  it('never leaves a counter without an expiry', async () => {
    const takeBack = await sessions.countAttempt('192.0.2.1');
    const [key = ''] = await redis.keys(`{${prefix}}:console-attempts:*`);
    expect(await redis.ttl(key)).toBeGreaterThan(0);
    // The window ends while the provider of single sign-on responds.
    await redis.del(key);
    await takeBack();
    expect(await redis.ttl(key)).toBeGreaterThan(0);
  });

  it('does not count attempts that succeeded', async () => {
    for (let attempt = 0; attempt < 20; attempt += 1) await (await sessions.countAttempt('192.0.2.1'))();
    for (let attempt = 0; attempt < 10; attempt += 1) await sessions.countAttempt('192.0.2.1');
    await expect(sessions.countAttempt('192.0.2.1')).rejects.toThrow('Too many attempts');
    await sessions.countAttempt('192.0.2.2');
  });
});

describe('open', () => {
  it('forgets the ids of expired sessions', async () => {
    await sessions.open(BOB);
    now += SESSION_MS + 1;
    const [, session] = await sessions.open(BOB);
    expect(await redis.zrevrange(`{${prefix}}:console-sessions`, 0, -1)).toEqual([session.id]);
  });
});
