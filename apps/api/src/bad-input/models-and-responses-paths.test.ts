import type { TextProtocolName } from '@sluice/canonical';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { expectRefusal } from '../../test/refusal.ts';
import { type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from '../../test/text-rig.ts';
import { says, vendorConfig } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream(says('hello'));
  const { upstreams, models } = vendorConfig(upstream.url);
  const routes = [{ upstream: 'generative-content', model: 'their:tuned/one' }];
  rig = await textRig({ upstreams, models: [...models, { id: 'tuned/my:model', routes }] });
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});
afterEach(() => {
  upstream.requests.length = 0;
});

const contents = [{ parts: [{ text: 'hi' }] }];
const NOT_THERE = { status: 404, code: 'not_found', param: null };

describe.each(['/v1beta', '/v1'])('%s/models', (root) => {
  it.each([
    'by-gemini:predict',
    'by-gemini:batchGenerateContent',
    'by-gemini:',
    'by-gemini:generatecontent',
    'by-gemini:generateContent/',
    'by-gemini:generateContent:',
    'by-gemini:__proto__',
    'by-gemini:constructor',
    'by-gemini',
    ':generateContent',
    'models/:generateContent',
    '',
  ])('has nothing to be done by POST at %j', async (rest) => {
    const response = await rig.post(`${root}/models/${rest}`, { contents });
    await expectRefusal(response, 'generative-content', NOT_THERE);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    'tuned/my:model',
    'models/tuned/my:model',
    'tuned%2Fmy%3Amodel',
    'models%2Ftuned%2Fmy:model',
    'tuned%2fmy%3amodel',
  ])('finds a model whose id contains slashes and colons, encoded as %s', async (spelling) => {
    const response = await rig.post(`${root}/models/${spelling}:generateContent`, { contents });
    expect(response.status, await response.text()).toBe(200);
    expect(upstream.requests[0]?.path).toMatch(/\/models\/their%3Atuned\/one:generateContent$/);
    const read = await rig.call(`${root}/models/${spelling}`);
    expect(read.status).toBe(200);
  });

  it.each([
    ['a dot-dot', '..%2f..%2fetc:generateContent'],
    ['a line break', 'by-gemini%0d%0ax-evil%3a1:generateContent'],
    ['NUL', 'by-gemini%00:generateContent'],
    ['a pattern', '*:generateContent'],
    ['a regular expression', '.*:generateContent'],
    ['a prototype’s name', '__proto__:generateContent'],
    ['another case', 'BY-GEMINI:generateContent'],
  ])('does not take %s for a model', async (_what, rest) => {
    const response = await rig.post(`${root}/models/${rest}`, { contents });
    expect(response.headers.get('x-evil')).toBeNull();
    await expectRefusal(response, 'generative-content', { status: 404, code: 'model_not_found', param: 'model' });
    expect(upstream.requests).toEqual([]);
  });

  it('refuses a path that cannot be decoded', async () => {
    const response = await rig.post(`${root}/models/%zz:generateContent`, { contents });
    const message = /not a valid URL path/;
    await expectRefusal(response, 'generative-content', { status: 400, code: 'invalid_request', param: null, message });
  });

  it('has no model under a path that is longer than any id', async () => {
    const response = await rig.post(`${root}/models/${'a'.repeat(2_000)}:generateContent`, { contents });
    expect(response.status).toBe(404);
    expect(upstream.requests).toEqual([]);
  });
});

/** Routes without a body of their own. */
const READS: [method: string, at: string, protocol: TextProtocolName, code: string][] = [
  ['GET', '/v1/models/no-such-model', 'chat-completions', 'model_not_found'],
  ['GET', '/v1/models/..%2f..%2fetc', 'chat-completions', 'model_not_found'],
  ['GET', '/v1beta/models/no-such-model', 'generative-content', 'model_not_found'],
  ['GET', '/v1beta/models/by-gemini:generateContent', 'generative-content', 'model_not_found'],
  ['GET', '/v1/responses/resp_1', 'responses', 'response_not_found'],
  ['GET', '/v1/responses/..%2f..%2fetc', 'responses', 'response_not_found'],
  ['GET', '/v1/responses/resp_%00%0d%0a', 'responses', 'response_not_found'],
  ['GET', '/v1/responses/*', 'responses', 'response_not_found'],
  ['GET', `/v1/responses/${'a'.repeat(900)}`, 'responses', 'response_not_found'],
  ['GET', '/v1/responses/__proto__', 'responses', 'response_not_found'],
  ['GET', '/v1/responses/resp_1/input_items', 'responses', 'response_not_found'],
  ['DELETE', '/v1/responses/resp_1', 'responses', 'response_not_found'],
  ['POST', '/v1/responses/resp_1/cancel', 'responses', 'response_not_found'],
  ['POST', '/v1/responses/..%2fx/cancel', 'responses', 'response_not_found'],
];

describe.each(READS)('%s %s', (method, at, protocol, code) => {
  it('has nothing there', async () => {
    await expectRefusal(await rig.call(at, { method }), protocol, { status: 404, code });
  });

  it('returns nothing without a key', async () => {
    for (const headers of [{}, { authorization: 'Bearer sk-wrong' }] as Record<string, string>[]) {
      const response = await rig.call(at, { method, headers });
      await expectRefusal(response, protocol, { status: 401, code: 'invalid_api_key', param: null });
    }
  });
});

describe('GET /v1/responses', () => {
  it('says at once that it is no web socket, whatever a client proposes', async () => {
    const wanted = { status: 426, code: 'upgrade_required', param: null };
    await expectRefusal(await rig.call('/v1/responses'), 'responses', wanted);
    expect((await rig.call('/v1/responses', { method: 'HEAD' })).status).toBe(426);
  });
});

describe('the lists of models', () => {
  it.each([
    ['/v1/models?limit=0', 'limit'],
    ['/v1/models?limit=all', 'limit'],
    ['/v1/models?limit=1.5', 'limit'],
  ])('refuse %s', async (at, param) => {
    await expectRefusal(await rig.call(at), 'chat-completions', { status: 400, code: 'invalid_request', param });
  });

  it.each([
    ['/v1beta/models?pageSize=-1', 'pageSize'],
    ['/v1beta/models?pageSize=x', 'pageSize'],
    ['/v1beta/models?pageToken=a&pageToken=b', 'pageToken'],
  ])('refuse %s', async (at, param) => {
    await expectRefusal(await rig.call(at), 'generative-content', { status: 400, code: 'invalid_request', param });
  });

  it('answer HEAD with no body', async () => {
    for (const at of ['/v1/models', '/v1beta/models', '/v1/models/by-chat']) {
      const response = await rig.call(at, { method: 'HEAD' });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('');
    }
  });

  it('take no other methods', async () => {
    for (const [at, protocol] of [
      ['/v1/models', 'chat-completions'],
      ['/v1beta/models', 'generative-content'],
    ] as const) {
      const response = await rig.call(at, { method: 'POST' });
      expect(response.headers.get('allow')).toBe('GET, HEAD');
      await expectRefusal(response, protocol, { status: 405, code: 'method_not_allowed', param: null });
    }
  });
});

describe('a page of input items', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['order=random', 'order'],
    ['after=a&after=b', 'after'],
  ])('is refused with %s', async (query, param) => {
    const made = await rig.post('/v1/responses', { model: 'by-chat', input: 'hi' });
    const { id } = (await made.json()) as { id: string };
    const response = await rig.call(`/v1/responses/${id}/input_items?${query}`);
    await expectRefusal(response, 'responses', { status: 400, code: 'invalid_request', param });
  });

  it('is refused after an item that is not there', async () => {
    const made = await rig.post('/v1/responses', { model: 'by-chat', input: 'hi' });
    const { id } = (await made.json()) as { id: string };
    const response = await rig.call(`/v1/responses/${id}/input_items?after=msg_x`);
    await expectRefusal(response, 'responses', { status: 404, code: 'item_not_found' });
  });

  it('is not visible to another key', async () => {
    const made = await rig.post('/v1/responses', { model: 'by-chat', input: 'hi' });
    const { id } = (await made.json()) as { id: string };
    const headers = { authorization: `Bearer ${KEYS.bob}` };
    const response = await rig.call(`/v1/responses/${id}/input_items`, { headers });
    await expectRefusal(response, 'responses', { status: 404, code: 'response_not_found' });
  });
});
