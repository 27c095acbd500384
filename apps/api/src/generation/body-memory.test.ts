import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  chatResponse,
  type ScriptedUpstream,
  scriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../test/text-rig.ts';
import { BodyMemory } from './body-memory.ts';

const MIB = 1024 * 1024;

describe('BodyMemory', () => {
  it('frees a large body when no call sends it anymore', () => {
    const bytes = Buffer.allocUnsafeSlow(MIB);
    const memory = new BodyMemory(bytes);
    const sent = memory.send();
    memory.free();
    expect(bytes.byteLength).toBe(MIB);
    sent();
    memory.free();
    expect(bytes.byteLength).toBe(0);
  });

  it('keeps small bodies, and memory that it shares', () => {
    const small = Buffer.allocUnsafeSlow(1_000);
    const shared = Buffer.allocUnsafeSlow(2 * MIB).subarray(MIB);
    for (const bytes of [small, shared]) new BodyMemory(bytes).free();
    expect([small.byteLength, shared.byteLength]).toEqual([1_000, MIB]);
  });
});

describe('a large body', () => {
  let upstream: ScriptedUpstream;
  let rig: TextRig;
  beforeEach(async () => {
    upstream = await scriptedUpstream((_request, response) => sendJson(response, 200, chatResponse('hi')));
  });
  afterEach(async () => {
    await rig.close();
    await upstream.close();
  });

  const url = `data:image/png;base64,${'iVBORw0KGgo='.repeat(100_000)}`;
  const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];

  it('is sent unchanged except for its model, also to a second upstream', async () => {
    upstream.script = ({ body }, response) => {
      if (body['model'] === 'first') sendJson(response, 500, { error: { message: 'down' } });
      else sendJson(response, 200, chatResponse('hi'));
    };
    const chat = { kind: 'chat-completions', base_url: `${upstream.url}/v1`, api_key: 'k' };
    const routes = [
      { upstream: 'a', model: 'first' },
      { upstream: 'b', model: 'second' },
    ];
    rig = await textRig({ upstreams: { a: chat, b: chat }, models: [{ id: 'both', routes }] });
    for (const model of ['both', 'both']) {
      const reply = await rig.post('/v1/chat/completions', { model, messages });
      expect([reply.status, await reply.json()]).toMatchObject([200, { model: 'both' }]);
    }
    const sent = upstream.requests.map(({ body }) => body);
    expect(sent.length).toBeGreaterThanOrEqual(3);
    for (const body of sent) expect(body['messages']).toEqual(messages);
    expect(upstream.requests[0]?.headers).toMatchObject({
      'content-length': String(Buffer.byteLength(upstream.requests[0]?.raw ?? '')),
    });
  });
});
