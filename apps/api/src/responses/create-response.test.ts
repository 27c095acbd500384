import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { backgroundWorker, type BackgroundWorker } from '../../test/workers/background-worker.ts';
import { expectRefusal } from '../../test/refusal.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;

function config(url: string) {
  const { upstreams, models } = vendorConfig(url);
  const other = { kind: 'responses', base_url: `${url}/second/v1`, api_key: 'sk-vendor-second' };
  const routes = [
    { upstream: 'responses', model: 'theirs' },
    { upstream: 'second', model: 'theirs' },
  ];
  return { upstreams: { ...upstreams, second: other }, models: [...models, { id: 'twice', routes }] };
}

beforeEach(async () => {
  upstream = await scriptedUpstream(respondWith('you said it'));
  rig = await textRig(config(upstream.url));
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

interface ResponseJson {
  id: string;
  status: string;
  previous_response_id: string | null;
  output: { id: string; type: string }[];
  error: { code: string; message: string } | null;
}

async function createResponse(body: Record<string, unknown>): Promise<ResponseJson> {
  const reply = await rig.post('/v1/responses', body);
  if (body['stream'] !== true) {
    const response = (await reply.json()) as ResponseJson;
    expect(reply.status, JSON.stringify(response)).toBe(200);
    return response;
  }
  const last = /event: response\.completed\ndata: (.+)\n/.exec(await reply.text())?.[1] ?? '{}';
  // The cast is safe because the event contains a response.
  return (JSON.parse(last) as { response: ResponseJson }).response;
}

async function retrieve(id: string): Promise<ResponseJson & { status_code: number }> {
  const reply = await rig.call(`/v1/responses/${id}`);
  return { ...((await reply.json()) as ResponseJson), status_code: reply.status };
}

const PATIENT = { timeout: 10_000 };
const TRANSLATED = ['by-chat', 'by-messages', 'by-gemini'] as const;

/** Returns the texts of a request in any protocol, in order. */
function textsOf({ body }: { body: unknown }): string[] {
  return [...JSON.stringify(body).matchAll(/"(?:text|content)":"([^"]*)"/g)].map(([, text = '']) => text);
}

describe.each(TRANSLATED)('a response of %s, stored here', (model) => {
  it.each([false, true])('is continued with the complete conversation in order; streamed: %s', async (stream) => {
    const first = await createResponse({ model, stream, input: 'one', instructions: 'be kind' });
    const second = await createResponse({ model, stream, input: 'two', previous_response_id: first.id });
    const third = await createResponse({ model, stream, input: 'three', previous_response_id: second.id });
    expect([first.previous_response_id, second.previous_response_id, third.previous_response_id]).toEqual([
      null,
      first.id,
      second.id,
    ]);
    const texts = textsOf(upstream.requests[2] ?? { body: {} });
    expect(texts).toEqual(['one', 'you said it', 'two', 'you said it', 'three']);
    // Instructions apply to one request only.
    expect(upstream.requests[0]?.raw).toContain('be kind');
    expect(upstream.requests[1]?.raw).not.toContain('be kind');
    expect(upstream.requests[2]?.raw).not.toContain('previous_response_id');
  });

  it('is available after its client has read the end of its stream', async () => {
    const { id, output } = await createResponse({ model, stream: true, input: 'one' });
    expect(await retrieve(id)).toMatchObject({ status_code: 200, id, status: 'completed', output });
  });

  it('can be continued with a model of another vendor', async () => {
    const { id } = await createResponse({ model, input: 'one' });
    for (const other of TRANSLATED) {
      await createResponse({ model: other, input: 'two', previous_response_id: id });
      expect(textsOf(upstream.requests.at(-1) ?? { body: {} })).toEqual(['one', 'you said it', 'two']);
    }
    // The vendor stores its own responses but does not know this one, so the conversation is sent.
    await createResponse({ model: 'by-responses', input: 'two', previous_response_id: id });
    expect(textsOf(upstream.requests.at(-1) ?? { body: {} })).toEqual(['one', 'you said it', 'two']);
    expect(upstream.requests.at(-1)?.body).not.toHaveProperty('previous_response_id');
  });

  it('is not available to another key', async () => {
    const { id } = await createResponse({ model, input: 'my secret' });
    const headers = { authorization: `Bearer ${KEYS.bob}` };
    const reply = await rig.post('/v1/responses', { model, input: 'tell', previous_response_id: id }, { headers });
    const refusal = { status: 400, code: 'previous_response_not_found', param: 'previous_response_id' };
    await expectRefusal(reply, 'responses', refusal);
    expect(upstream.requests).toHaveLength(1);
  });

  it('is not stored with `store: false`', async () => {
    const { id } = await createResponse({ model, input: 'one', store: false });
    expect(await retrieve(id)).toMatchObject({ status_code: 404 });
    const reply = await rig.post('/v1/responses', { model, input: 'two', previous_response_id: id });
    await expectRefusal(reply, 'responses', {
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    });
  });

  it('resolves references to its items', async () => {
    const { output } = await createResponse({ model, input: 'one' });
    for (const reference of [{ type: 'item_reference', id: output[0]?.id }, { id: output[0]?.id }]) {
      await createResponse({
        model,
        input: [{ role: 'user', content: 'a' }, reference, { role: 'user', content: 'b' }],
      });
      expect(textsOf(upstream.requests.at(-1) ?? { body: {} })).toEqual(['a', 'you said it', 'b']);
    }
  });

  it('drops unknown reasoning items and rejects other unknown items', async () => {
    const item = { role: 'user', content: 'a' };
    await createResponse({ model, input: [{ type: 'item_reference', id: 'rs_gone' }, item] });
    expect(textsOf(upstream.requests.at(-1) ?? { body: {} })).toEqual(['a']);
    const reply = await rig.post('/v1/responses', {
      model,
      input: [item, { type: 'item_reference', id: 'msg_gone' }],
    });
    await expectRefusal(reply, 'responses', { status: 404, code: 'item_not_found' });
  });
});

describe('a response that its vendor stores', () => {
  it('has the vendor’s id, and is continued there without resending anything', async () => {
    for (const stream of [false, true]) {
      const first = await createResponse({ model: 'by-responses', stream, input: 'one' });
      expect(first.id).toMatch(/^resp_theirs/);
      await createResponse({ model: 'by-responses', stream, input: 'two', previous_response_id: first.id });
      const { body } = upstream.requests.at(-1) ?? { body: {} };
      expect(body).toMatchObject({ input: 'two', previous_response_id: first.id });
    }
  });

  it('is continued at the upstream that stores it, regardless of order and health', async () => {
    const respond = respondWith('from the second');
    upstream.script = (request, response) => {
      if (request.path.startsWith('/responses/')) sendJson(response, 503, { error: { message: 'busy' } });
      else respond(request, response);
    };
    const { id } = await createResponse({ model: 'twice', input: 'one' });
    upstream.script = respondWith('all are well');
    upstream.requests.length = 0;
    await createResponse({ model: 'twice', input: 'two', previous_response_id: id });
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/second/v1/responses']);
    // Other upstreams do not know the previous response.
    upstream.script = (_request, response) => sendJson(response, 503, { error: { message: 'busy' } });
    upstream.requests.length = 0;
    const reply = await rig.post('/v1/responses', { model: 'twice', input: 'x', previous_response_id: id });
    expect(reply.status).toBe(503);
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/second/v1/responses']);
  });

  it('cannot be continued with a model of another upstream', async () => {
    const { id } = await createResponse({ model: 'by-responses', input: 'one' });
    const reply = await rig.post('/v1/responses', { model: 'by-chat', input: 'two', previous_response_id: id });
    const refusal = { status: 400, code: 'previous_response_not_found', param: 'previous_response_id' };
    await expectRefusal(reply, 'responses', { ...refusal, message: /stored by an upstream that does not serve/ });
  });

  it('is not available to another key, although both share the account', async () => {
    const { id } = await createResponse({ model: 'by-responses', input: 'my secret' });
    const headers = { authorization: `Bearer ${KEYS.bob}` };
    const mine = { model: 'by-responses', input: 'tell', previous_response_id: id };
    await expectRefusal(await rig.post('/v1/responses', mine, { headers }), 'responses', {
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    });
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/cancel'],
      ['GET', '/input_items'],
    ]) {
      const reply = await rig.call(`/v1/responses/${id}${rest}`, { method: method ?? '', headers });
      await expectRefusal(reply, 'responses', { status: 404, code: 'response_not_found' });
    }
    expect(upstream.requests).toHaveLength(1);
  });
});

/** Blocks upstream calls until the returned function is called. */
function hold(): () => void {
  const gate = Promise.withResolvers<void>();
  const reply = respondWith('at last');
  upstream.script = (request, response) => void gate.promise.then(() => reply(request, response));
  return gate.resolve;
}

// The cast is safe because the endpoint returns a response.
const idOf = async (reply: Response) => ((await reply.json()) as ResponseJson).id;

describe('a repeated background request', () => {
  const params = { model: 'by-chat', input: 'think', background: true };
  const headers = { 'idempotency-key': 'once' };
  const post = (more: object = {}, key = KEYS.alice) =>
    rig.post('/v1/responses', { ...params, ...more }, { headers: { ...headers, authorization: `Bearer ${key}` } });

  it('returns the same response in its current state, which is generated once', async () => {
    const replies = await Promise.all([post(), post()]);
    const [id = '', other] = await Promise.all(replies.map(idOf));
    expect(other).toBe(id);
    expect(replies.filter(({ headers: sent }) => sent.get('idempotent-replayed') === 'true')).toHaveLength(1);
    expect(await idOf(await post({}, KEYS.bob))).not.toBe(id);
    const worker = await backgroundWorker(rig);
    await expect.poll(async () => (await retrieve(id)).status, PATIENT).toBe('completed');
    // The order of members makes no difference.
    const late = await rig.post('/v1/responses', Object.fromEntries(Object.entries(params).toReversed()), { headers });
    expect(late.headers.get('idempotent-replayed')).toBe('true');
    expect(await late.json()).toMatchObject({ id, status: 'completed' });
    await expect.poll(() => upstream.requests.length, PATIENT).toBe(2);
    await worker.close();
  });

  it('streams the response from its start', async () => {
    const worker = await backgroundWorker(rig);
    const first = await (await post({ stream: true })).text();
    const reply = await post({ stream: true });
    expect(reply.headers.get('idempotent-replayed')).toBe('true');
    expect(await reply.text()).toBe(first);
    await worker.close();
  });

  it('is refused with another body or an invalid key', async () => {
    await post();
    const refusal = { status: 422, code: 'idempotency_key_reused', param: 'Idempotency-Key' };
    await expectRefusal(await post({ input: 'other' }), 'responses', refusal);
    const invalid = await rig.post('/v1/responses', params, { headers: { 'idempotency-key': 'a'.repeat(256) } });
    await expectRefusal(invalid, 'responses', { status: 400, code: 'invalid_request', param: 'Idempotency-Key' });
  });
});

describe.each(TRANSLATED)('a background response of %s', (model) => {
  let worker: BackgroundWorker;
  beforeEach(async () => {
    worker = await backgroundWorker(rig);
  });
  afterEach(() => worker.close());

  it('is queued at once, continues without its client, and is stored at the end', async () => {
    const release = hold();
    const { id, status } = await createResponse({ model, input: 'think', background: true });
    expect(status).toBe('queued');
    await expect.poll(() => upstream.requests, PATIENT).toHaveLength(1);
    expect((await retrieve(id)).status).toBe('in_progress');
    const early = await rig.post('/v1/responses', { model, input: 'x', previous_response_id: id });
    expect(await early.json()).toMatchObject({ error: { code: 'invalid_request', param: 'previous_response_id' } });
    release();
    await expect.poll(async () => (await retrieve(id)).status, PATIENT).toBe('completed');
    expect(JSON.stringify(await retrieve(id))).toContain('at last');
    await createResponse({ model, input: 'and then', previous_response_id: id });
    expect(textsOf(upstream.requests.at(-1) ?? { body: {} })).toEqual(['think', 'at last', 'and then']);
  });

  it('is rejected with `store: false`', async () => {
    const reply = await rig.post('/v1/responses', { model, input: 'think', background: true, store: false });
    await expectRefusal(reply, 'responses', { status: 400, code: 'unsupported_parameter', param: 'background' });
    expect(upstream.requests).toEqual([]);
  });
});
