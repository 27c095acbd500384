import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { MODELS, respondWith, vendorConfig } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  rig = await textRig(vendorConfig(upstream.url));
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{}' };
const RESPONSES = {
  at: '/v1/responses',
  body: {
    model: MODELS.responses,
    store: false,
    input: [
      { role: 'user', content: 'hi' },
      { type: 'reasoning', summary: [], encrypted_content: 'of another account' },
      call,
      { type: 'function_call_output', call_id: 'c1', output: 'x' },
    ],
  },
  refusal: {
    error: { message: 'Could not verify.', type: 'invalid_request_error', code: 'invalid_encrypted_content' },
  },
  repeated: {
    input: [
      { role: 'user', content: 'hi' },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'x' },
    ],
  },
};
const text = { type: 'text', text: 'b' };
const MESSAGES = {
  at: '/v1/messages',
  body: {
    model: MODELS.messages,
    max_tokens: 5,
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm', signature: 'of another account' }, text] },
      { role: 'user', content: 'c' },
    ],
  },
  refusal: {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'messages.1.content.0: Invalid `signature` in `thinking` block' },
  },
  repeated: {
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [text] },
      { role: 'user', content: 'c' },
    ],
  },
};

describe.each([
  ['responses', RESPONSES],
  ['messages', MESSAGES],
])('reasoning of another account (%s)', (_protocol, { at, body, refusal, repeated }) => {
  it.each([false, true])('is removed after the upstream refuses it, and named (stream: %s)', async (stream) => {
    upstream.script = (request, response) => {
      if (request.raw.includes('of another account')) sendJson(response, 400, refusal);
      else respondWith('hello')(request, response);
    };
    const sent = JSON.stringify({ ...body, stream, seed: 'long' }).replace('"long"', '9007199254740993');
    const reply = await rig.post(at, sent);
    expect(reply.status, await reply.clone().text()).toBe(200);
    expect(await reply.text()).toContain('hello');
    expect(reply.headers.get('x-sluice-dropped')).toBe('reasoning');
    expect(upstream.requests).toHaveLength(2);
    expect(upstream.requests[1]?.body).toMatchObject(repeated);
    expect(upstream.requests[1]?.raw).not.toContain('fc_1');
    expect(upstream.requests[1]?.raw).toContain('9007199254740993');
  });

  it('is removed once only', async () => {
    upstream.script = (_request, response) => sendJson(response, 400, refusal);
    const reply = await rig.post(at, body);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject(refusal);
    expect(upstream.requests).toHaveLength(2);
  });
});
