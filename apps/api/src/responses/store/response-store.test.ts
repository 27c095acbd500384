import { createLogger } from '@sluice/telemetry';
import type { StoredResponse } from '@sluice/responses';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTextRedis } from '../../server/open-redis.ts';
import { createResponseStore, type ResponseStore } from './response-store.ts';
import { createTextKeys, type TextKeys } from '../../generation/reasoning/text-keys.ts';

const RETENTION_MS = 3_600_000;
const RECORD: StoredResponse = {
  id: 'resp_1',
  owner: 'alice',
  upstream: 'vendor',
  native: false,
  model: 'm',
  createdAt: 1_790_000_000,
  status: 'completed',
  body: { model: 'm', store: true },
  inputItems: [{ role: 'user', content: 'hello' }],
  outputItems: [{ id: 'msg_1', type: 'message', role: 'assistant', content: [] }],
  usage: { inputTokens: 1, outputTokens: 2 },
};
const OPEN: StoredResponse = { ...RECORD, status: 'in_progress', outputItems: [] };
const RUN = { body: Buffer.from('{}'), headers: {}, createdAt: 1, events: [] };

const settings = (prefix: string) => ({ prefix, retentionMs: RETENTION_MS, logBytes: 1e6 });

let redis: Redis;
let keys: TextKeys;
let store: ResponseStore;

beforeEach(() => {
  const { redisUrl, prefix } = testRedis();
  redis = openRedis(redisUrl, { enableAutoPipelining: true });
  keys = createTextKeys(prefix);
  store = createResponseStore(redis, keys, settings(prefix));
});
afterEach(() => redis.disconnect());

/** Stores a conversation of `count` responses and returns the last one's id. */
async function link(count: number): Promise<string> {
  for (let index = 1; index <= count; index += 1) {
    await store.put({
      ...RECORD,
      id: `resp_${index}`,
      inputItems: [{ id: `in_${index}` }],
      outputItems: [{ id: `out_${index}` }],
      ...(index > 1 && { previousId: `resp_${index - 1}` }),
    });
  }
  return `resp_${count}`;
}

describe('a stored response', () => {
  it('is returned unchanged to its owner only', async () => {
    await store.put(RECORD);
    expect(await store.get('alice', 'resp_1')).toEqual(RECORD);
    expect(await store.get('bob', 'resp_1')).toBeUndefined();
    expect(await store.get('alice', 'resp_2')).toBeUndefined();
  });

  it('is compressed if it is large', async () => {
    const big = { ...RECORD, inputItems: [{ role: 'user', content: 'wörter 😀 '.repeat(50_000) }] };
    await store.put(big);
    expect(await store.get('alice', 'resp_1')).toEqual(big);
    expect(await redis.strlen(keys.response('alice', 'resp_1'))).toBeLessThan(10_000);
  });

  it('expires with its items after the retention', async () => {
    await store.put(RECORD);
    for (const key of [keys.response('alice', 'resp_1'), keys.item('alice', 'msg_1')]) {
      const ttl = await redis.pttl(key);
      expect(ttl).toBeGreaterThan(RETENTION_MS - 60_000);
      expect(ttl).toBeLessThanOrEqual(RETENTION_MS);
    }
  });

  it('is removed with its items, but not by another owner', async () => {
    await store.put(RECORD);
    expect(await store.remove({ ...RECORD, owner: 'bob' })).toEqual({ isDone: false });
    expect(await store.remove(RECORD)).toEqual({ isDone: true });
    expect(await store.get('alice', 'resp_1')).toBeUndefined();
    expect(await store.item('alice', ['msg_1'])).toEqual(new Map());
    expect(await store.remove(RECORD)).toEqual({ isDone: false });
  });
});

describe('items', () => {
  it('are returned by id to their owner, without unknown ones', async () => {
    const reasoning = { id: 'rs_1', type: 'reasoning', encrypted_content: 'x'.repeat(20_000) };
    await store.put({ ...RECORD, outputItems: [reasoning, ...RECORD.outputItems, { type: 'odd' }] });
    expect(await store.item('alice', ['rs_1', 'msg_1', 'rs_1', 'rs_2'])).toEqual(
      new Map([
        ['rs_1', reasoning],
        ['msg_1', RECORD.outputItems[0]],
      ]),
    );
    expect(await store.item('bob', ['rs_1'])).toEqual(new Map());
    expect(await store.item('alice', [])).toEqual(new Map());
  });
});

describe('items at a vendor', () => {
  const native: StoredResponse = { ...RECORD, native: true, outputItems: [], vendorItems: ['rs_1', 'msg_1'] };

  it('map to their upstream for their owner, within the retention of the response', async () => {
    await store.put(native);
    await store.recordItems('alice', 'second', ['msg_2']);
    const known = { rs_1: 'vendor', msg_1: 'vendor', msg_2: 'second' };
    const upstreams = await store.upstreamsOf('alice', ['rs_1', 'msg_1', 'msg_2', 'msg_1', 'msg_3']);
    expect(Object.fromEntries(upstreams)).toEqual(known);
    expect(await store.upstreamsOf('bob', ['rs_1'])).toEqual(new Map());
    expect(await store.upstreamsOf('alice', [])).toEqual(new Map());
    expect(await redis.pttl(keys.itemUpstream('alice', 'rs_1'))).toBeGreaterThan(RETENTION_MS - 60_000);
  });

  it('are removed with the response', async () => {
    await store.put(native);
    expect(await store.remove(native)).toEqual({ isDone: true });
    expect(await store.upstreamsOf('alice', ['rs_1', 'msg_1'])).toEqual(new Map());
  });
});

describe('chain', () => {
  it('returns all items of the conversation, oldest first', async () => {
    const items = await store.chain('alice', await link(3));
    expect(items).toEqual(['in_1', 'out_1', 'in_2', 'out_2', 'in_3', 'out_3'].map((id) => ({ id })));
  });

  it('rejects a missing response instead of dropping a part of the conversation', async () => {
    await link(3);
    await store.remove({ ...RECORD, id: 'resp_2' });
    await expect(store.chain('alice', 'resp_3')).rejects.toMatchObject({
      code: 'previous_response_not_found',
      status: 400,
      param: 'previous_response_id',
      message: 'Previous response `resp_2` does not exist. Send the conversation itself.',
    });
    await expect(store.chain('bob', 'resp_3')).rejects.toMatchObject({ code: 'previous_response_not_found' });
  });

  it('is limited to 200 responses', async () => {
    const last = await link(201);
    await expect(store.chain('alice', last)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await store.chain('alice', 'resp_200')).toHaveLength(400);
  });

  it('rejects a response that is still in progress', async () => {
    await store.createRun(OPEN, RUN);
    await expect(store.chain('alice', 'resp_1')).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('a response in progress', () => {
  it('stays open until it is canceled, and then does not change', async () => {
    await store.createRun(OPEN, { ...RUN, admission: 'reserved' });
    expect(await store.get('alice', 'resp_1')).toEqual(OPEN);
    expect(await store.cancel('bob', 'resp_1')).toEqual({ record: undefined });
    const canceled = { ...OPEN, status: 'cancelled' };
    expect(await store.cancel('alice', 'resp_1')).toEqual({ record: canceled, admission: 'reserved' });
    expect(await store.cancel('alice', 'resp_1')).toEqual({ record: canceled });
    expect(await store.get('alice', 'resp_1')).toEqual(canceled);
  });

  it('stays unchanged if it is canceled after its end', async () => {
    await store.put(RECORD);
    expect(await store.cancel('alice', 'resp_1')).toEqual({ record: RECORD });
    expect(await store.get('alice', 'resp_1')).toEqual(RECORD);
  });
});

describe('a response in progress in a process of an earlier version', () => {
  beforeEach(async () => {
    await store.put(OPEN);
    await redis.set(keys.alive('alice', 'resp_1'), '1', 'PX', 30_000);
  });

  it('is open while its process is alive, and fails when it has died', async () => {
    expect(await store.get('alice', 'resp_1')).toEqual(OPEN);
    await redis.del(keys.alive('alice', 'resp_1'));
    expect(await store.get('alice', 'resp_1')).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
  });

  it('can be canceled, which its process notices', async () => {
    expect(await store.cancel('alice', 'resp_1')).toEqual({ record: { ...OPEN, status: 'cancelled' } });
    expect(await redis.exists(keys.canceled('alice', 'resp_1'))).toBe(1);
    expect(await store.get('alice', 'resp_1')).toMatchObject({ status: 'cancelled' });
  });
});

it('fails at once while Redis is down', async () => {
  const logger = createLogger({ level: 'silent', name: 'test' });
  const away = openTextRedis({ settings: { url: 'redis://127.0.0.1:1' }, commandTimeoutMs: 60_000, logger });
  try {
    const lost = createResponseStore(away, keys, settings('test'));
    const calls = [
      lost.put(RECORD),
      lost.createRun(OPEN, RUN),
      lost.findRepeated('alice', { key: 'once', digest: '' }),
      lost.get('alice', 'resp_1'),
      lost.unknownOf(RECORD),
      lost.endPoll(RECORD, {}),
      lost.cancel('alice', 'resp_1'),
      lost.remove(RECORD),
      lost.chain('alice', 'resp_1'),
      lost.item('alice', ['msg_1']),
      lost.recordItems('alice', 'vendor', ['msg_1']),
      lost.upstreamsOf('alice', ['msg_1']),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'store_unavailable' });
  } finally {
    away.disconnect();
  }
});
