import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';
import { createLogger } from '@sluice/telemetry';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTextRedis } from '../../server/open-redis.ts';
import { createReasoningMemory } from './reasoning-memory.ts';
import { createTextKeys, type TextKeys } from './text-keys.ts';

const TOKEN: OpaqueToken = { protocol: 'messages', account: 'a', model: 'm', value: 'sig' };
const THOUGHT: ReasoningBlock = { type: 'reasoning', text: ['é😀'], isSummary: false, opaqueToken: TOKEN };

let lines: string[];
const logger = createLogger({
  level: 'warn',
  name: 'test',
  pretty: false,
  destination: { write: (line) => void lines.push(line) },
});
let redis: Redis;
let keys: TextKeys;

beforeEach(() => {
  lines = [];
  const { redisUrl, prefix } = testRedis();
  redis = openRedis(redisUrl, { enableAutoPipelining: true });
  keys = createTextKeys(prefix);
});
afterEach(() => redis.disconnect());

describe('the reasoning memory', () => {
  it('returns the reasoning before a call, for each call of the turn', async () => {
    const memory = createReasoningMemory(redis, keys, logger);
    await memory.remember('alice', [{ callId: 'a', opaqueToken: TOKEN }, { callId: 'b' }], [THOUGHT]);
    expect(await memory.recall('alice', ['a', 'b', 'c'])).toEqual(
      new Map([
        ['a', { reasoning: [THOUGHT], opaqueToken: TOKEN }],
        ['b', { reasoning: [THOUGHT] }],
      ]),
    );
    expect(lines).toEqual([]);
  });

  it('ignores calls of another owner', async () => {
    const memory = createReasoningMemory(redis, keys, logger);
    await memory.remember('alice', [{ callId: 'a' }], [THOUGHT]);
    expect(await memory.recall('bob', ['a'])).toEqual(new Map());
  });

  it('expires after a day', async () => {
    const memory = createReasoningMemory(redis, keys, logger);
    await memory.remember('alice', [{ callId: 'a' }], [THOUGHT]);
    const seconds = await redis.ttl(keys.reasoning('alice', 'a'));
    expect(seconds).toBeGreaterThan(86_300);
    expect(seconds).toBeLessThanOrEqual(86_400);
  });

  it('reads any number of calls with one command and stores no empty entry', async () => {
    const memory = createReasoningMemory(redis, keys, logger);
    await memory.remember('alice', [{ callId: 'a' }], []);
    expect(await redis.exists(keys.reasoning('alice', 'a'))).toBe(0);
    expect(await memory.recall('alice', [])).toEqual(new Map());
    const many = Array.from({ length: 2_000 }, (_value, index) => ({ callId: `c${index}` }));
    const ids = many.map(({ callId }) => callId);
    // On a busy machine, a command can take longer than the memory waits for it.
    await vi.waitFor(async () => {
      await memory.remember('alice', many, [THOUGHT]);
      expect((await memory.recall('alice', ids)).has('c1999')).toBe(true);
    }, 30_000);
  });

  it('reads entries of earlier versions', async () => {
    const memory = createReasoningMemory(redis, keys, logger);
    const { opaqueToken: seal, ...thought } = THOUGHT;
    await redis.set(keys.reasoning('alice', 'a'), JSON.stringify({ reasoning: [{ ...thought, seal }], seal }));
    expect(await memory.recall('alice', ['a'])).toEqual(new Map([['a', { reasoning: [THOUGHT], opaqueToken: TOKEN }]]));
  });
});

describe('while Redis is down', () => {
  let away: Redis;
  let unresponsive: Server | undefined;

  afterEach(async () => {
    away.disconnect();
    if (unresponsive) await new Promise((resolve) => unresponsive?.close(resolve));
    unresponsive = undefined;
  });

  it('stores nothing, throws nothing, and logs one line', async () => {
    away = openTextRedis({
      settings: { url: 'redis://127.0.0.1:1' },
      commandTimeoutMs: 60_000,
      logger: silentLogger(),
    });
    const memory = createReasoningMemory(away, keys, logger);
    await memory.remember('alice', [{ callId: 'a' }], [THOUGHT]);
    expect(await memory.recall('alice', ['a'])).toEqual(new Map());
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"level":"warn"');
    expect(lines[0]).not.toContain('é😀');
  });

  it('does not wait for the command timeout of an unresponsive Redis', async () => {
    unresponsive = createServer((socket) => socket.on('error', () => socket.destroy()).resume());
    await new Promise<void>((resolve) => unresponsive?.listen(0, '127.0.0.1', resolve));
    const { port } = unresponsive.address() as AddressInfo; // The cast is safe because the server listens on TCP.
    away = openRedis(`redis://127.0.0.1:${port}`, { enableReadyCheck: false, maxRetriesPerRequest: 0 });
    away.on('error', () => undefined);
    await new Promise((resolve) => away.once('connect', resolve));
    const memory = createReasoningMemory(away, keys, logger);
    // If `recall` had no timeout of its own, this call would never return.
    expect(await memory.recall('alice', ['a'])).toEqual(new Map());
    await memory.remember('alice', [{ callId: 'a' }], [THOUGHT]);
    expect(lines).toHaveLength(1);
  });
});

function silentLogger() {
  return createLogger({ level: 'silent', name: 'test' });
}
