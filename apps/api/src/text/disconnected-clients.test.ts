import { testRedis } from '@sluice/testkit';
import { KEYS } from '../../test/api-rig.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type PausableRedis, startPausableRedis } from '../../test/pausable-redis.ts';
import { type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from '../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
let proxy: PausableRedis;
beforeAll(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  proxy = await startPausableRedis(testRedis().redisUrl);
  rig = await textRig(vendorConfig(upstream.url), { redisUrl: proxy.url });
});
afterAll(async () => {
  await rig.close();
  await proxy.cut();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

async function idOf(model: string): Promise<string> {
  const { id } = (await (await rig.post('/v1/responses', { model, input: 'one' })).json()) as { id: string };
  upstream.requests.length = 0;
  return id;
}

/** Counts the client disconnects that the server has observed. */
function disconnectCount(): number {
  return rig.logs().split('"aborted":true').length;
}

const trigger = [{ type: 'compaction_trigger' }];

it.each([
  ['a response', '/v1/responses', {}],
  ['a streamed response', '/v1/responses', { stream: true }],
  ['a response in the background', '/v1/responses', { background: true }],
  ['a compaction', '/v1/responses/compact', {}],
  ['a triggered compaction', '/v1/responses', { input: trigger }],
  ['a streamed one', '/v1/responses', { input: trigger, stream: true }],
  ['a count', '/v1/responses/input_tokens', {}],
] as const)(
  '%s makes no upstream call if its client disconnects while the previous response is loaded',
  async (_, at, more) => {
    const previous = await idOf('by-messages');
    const controller = new AbortController();
    const before = disconnectCount();
    proxy.pause();
    const response = rig.post(
      at,
      { model: 'by-messages', input: 'two', previous_response_id: previous, ...more },
      controller,
    );
    await expect.poll(() => proxy.pausedReplies()).toBeGreaterThan(0);
    controller.abort();
    await expect(response).rejects.toThrow();
    await expect.poll(disconnectCount).toBeGreaterThan(before);
    proxy.resume();
    // When this later request is served, Redis has also replied to the aborted one.
    await rig.post('/v1/responses', { model: 'by-messages', input: 'after', previous_response_id: previous });
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]?.raw).toContain('after');
  },
);

it('a stored response is not fetched from its vendor for a disconnected client', async () => {
  const id = await idOf('by-responses');
  const controller = new AbortController();
  const before = disconnectCount();
  proxy.pause();
  const response = rig.call(`/v1/responses/${id}`, {
    headers: { authorization: `Bearer ${KEYS.alice}` },
    signal: controller.signal,
  });
  await expect.poll(() => proxy.pausedReplies()).toBeGreaterThan(0);
  controller.abort();
  await expect(response).rejects.toThrow();
  await expect.poll(disconnectCount).toBeGreaterThan(before);
  proxy.resume();
  await rig.call(`/v1/responses/${id}/input_items`);
  expect(upstream.requests.map(({ path }) => path)).toEqual([`/responses/v1/responses/${id}/input_items`]);
});
