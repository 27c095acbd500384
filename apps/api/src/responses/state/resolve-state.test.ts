import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../../test/api-rig.ts';
import { expectRefusal } from '../../../test/refusal.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../../test/text-rig.ts';
import { modelResponse, respondWith, sendEvents, vendorConfig } from '../../../test/vendor.ts';

/** A key that can reference objects stored at vendors. */
const TRUSTED = 'sk-trusted-key';
const NOT_FOUND = { status: 404, code: 'item_not_found' };

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  const { upstreams, models } = vendorConfig(upstream.url);
  const second = { kind: 'responses', base_url: `${upstream.url}/second/v1`, api_key: 'sk-vendor-second' };
  const routes = ['responses', 'second'].map((name) => ({ upstream: name, model: 'theirs' }));
  const keys = [
    { name: 'alice', key: KEYS.alice },
    { name: 'bob', key: KEYS.bob },
    { name: 'trusted', key: TRUSTED, vendor_references: true },
  ];
  rig = await textRig({
    upstreams: { ...upstreams, second },
    models: [
      ...models,
      { id: 'twice', routes },
      { id: 'by-second', routes: routes.slice(1) },
      { id: 'mixed', routes: [...routes.slice(0, 1), { upstream: 'messages', model: 'theirs' }] },
    ],
    keys,
  });
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.script = respondWith('hello');
});

const asKey = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const user = (content: string) => ({ role: 'user', content });

interface ResponseJson {
  id: string;
  output: { id: string }[];
}

async function createResponse(body: Record<string, unknown>): Promise<ResponseJson> {
  const reply = await rig.post('/v1/responses', { model: 'by-responses', input: 'one', ...body });
  const text = await reply.text();
  expect(reply.status, text).toBe(200);
  upstream.requests.length = 0;
  if (body['stream'] !== true) return JSON.parse(text) as ResponseJson;
  const last = /event: response\.completed\ndata: (.+)\n/.exec(text)?.[1] ?? '{}';
  // The cast is safe because the event contains a response.
  return (JSON.parse(last) as { response: ResponseJson }).response;
}

async function sendInput(input: unknown[], more: object = {}, key: string = KEYS.alice): Promise<Response> {
  return rig.post('/v1/responses', { model: 'by-responses', input, ...more }, asKey(key));
}

let count = 0;
/** The vendor's next response contains reasoning and an image before its text. */
function scriptReasoning(): { reasoning: string; image: string } {
  count += 1;
  const [reasoning, image] = [`rs_${count}`, `ig_${count}`];
  const reply = modelResponse(`resp_thought${count}`, 'hello');
  const output = [
    { type: 'reasoning', id: reasoning, summary: [] },
    { type: 'image_generation_call', id: image, status: 'completed', result: 'aGk=' },
    ...reply.output,
  ];
  upstream.script = ({ body }, response) => {
    if (body['stream'] !== true) return sendJson(response, 200, { ...reply, output });
    sendEvents(response, [
      { type: 'response.created', response: { ...reply, status: 'in_progress', output: [] } },
      ...output.map((item, at) => ({ type: 'response.output_item.done', output_index: at, item })),
      { type: 'response.completed', response: { ...reply, output } },
    ]);
  };
  return { reasoning, image };
}

describe.each([false, true])('an item that its vendor stores, streamed: %s', (stream) => {
  /** Returns all kinds of items that reference stored content. */
  async function references(): Promise<Record<string, unknown>[]> {
    const { reasoning, image } = scriptReasoning();
    const { output } = await createResponse({ stream });
    upstream.script = respondWith('hello');
    return [
      { type: 'item_reference', id: output.at(-1)?.id },
      { id: output.at(-1)?.id },
      { id: output.at(-1)?.id, type: null, role: null },
      { type: 'item_reference', id: reasoning },
      { type: 'reasoning', id: reasoning, summary: [] },
      { type: 'image_generation_call', id: image },
    ];
  }

  it('can be referred to by the key that received it', async () => {
    for (const reference of await references()) {
      expect((await sendInput([user('a'), reference])).status).toBe(200);
      expect(upstream.requests.at(-1)?.body).toMatchObject({ input: [user('a'), reference] });
    }
  });

  it('is unknown to another key without `vendor_references`', async () => {
    for (const reference of await references()) {
      await expectRefusal(await sendInput([user('a'), reference], {}, KEYS.bob), 'responses', NOT_FOUND);
      await expectRefusal(await sendInput([reference], { model: 'mixed' }, KEYS.bob), 'responses', NOT_FOUND);
      for (const at of ['/v1/responses/compact', '/v1/responses/input_tokens']) {
        const params = { model: 'by-responses', input: [reference] };
        await expectRefusal(await rig.post(at, params, asKey(KEYS.bob)), 'responses', NOT_FOUND);
      }
      expect(upstream.requests).toEqual([]);
      expect((await sendInput([user('a'), reference], {}, TRUSTED)).status).toBe(200);
      expect(upstream.requests.splice(0)).toHaveLength(1);
    }
  });

  it('is sent only to the upstream that stores it', async () => {
    const [reference = {}] = await references();
    const respond = respondWith('hello');
    upstream.script = (request, response) => {
      if (request.path.startsWith('/responses/')) sendJson(response, 503, { error: { message: 'busy' } });
      else respond(request, response);
    };
    expect((await sendInput([reference], { model: 'twice' })).status).toBe(503);
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/responses/v1/responses']);
    for (const model of ['by-second', 'by-chat']) {
      await expectRefusal(await sendInput([reference], { model }), 'responses', NOT_FOUND);
    }
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('reasoning of another key', () => {
  it('loses its id when its content is sent, so that the vendor does not look it up', async () => {
    const { reasoning } = scriptReasoning();
    await createResponse({});
    upstream.script = respondWith('hello');
    const item = { type: 'reasoning', id: reasoning, summary: [{ type: 'summary_text', text: 'hm' }] };
    expect((await sendInput([user('a'), item], {}, KEYS.bob)).status).toBe(200);
    const renamed: unknown = { ...item, id: expect.stringMatching(/^rs_[0-9a-f]{32}$/) };
    expect(upstream.requests[0]?.body['input']).toEqual([user('a'), renamed]);
    expect((await sendInput([user('a'), item])).status).toBe(200);
    expect(upstream.requests[1]?.body).toMatchObject({ input: [user('a'), item] });
  });

  it('stays unchanged if it has encrypted content', async () => {
    const item = { type: 'reasoning', id: 'rs_else', summary: [], encrypted_content: 'gAAAA' };
    expect((await sendInput([user('a'), item], {}, KEYS.bob)).status).toBe(200);
    expect(upstream.requests[0]?.body).toMatchObject({ input: [user('a'), item] });
  });
});

describe('items of a response that was incomplete at first', () => {
  it('are known after a client has read the response or its input', async () => {
    const id = 'resp_later';
    upstream.script = (_request, response) =>
      sendJson(response, 200, modelResponse(id, '', { status: 'queued', output: [] }));
    await createResponse({ background: true });
    upstream.script = (request, response) => {
      const listed = { object: 'list', data: [{ type: 'message', id: 'msg_said', role: 'user', content: [] }] };
      if (request.path.endsWith('/input_items')) sendJson(response, 200, listed);
      else if (request.path.endsWith(id)) sendJson(response, 200, modelResponse(id, 'hello'));
      else respondWith('hello')(request, response);
    };
    for (const [rest, item] of [
      ['', `msg_of_${id}`],
      ['/input_items', 'msg_said'],
    ]) {
      const reference = { type: 'item_reference', id: item };
      await expectRefusal(await sendInput([reference]), 'responses', NOT_FOUND);
      await rig.call(`/v1/responses/${id}${rest}`);
      expect((await sendInput([reference])).status).toBe(200);
      await expectRefusal(await sendInput([reference], {}, KEYS.bob), 'responses', NOT_FOUND);
    }
  });

  it('are removed when the response is deleted', async () => {
    const { id, output } = await createResponse({});
    const reference = { type: 'item_reference', id: output[0]?.id };
    expect((await sendInput([reference])).status).toBe(200);
    upstream.script = (_request, response) => sendJson(response, 200, { id, object: 'response', deleted: true });
    await rig.call(`/v1/responses/${id}`, { method: 'DELETE' });
    await expectRefusal(await sendInput([reference]), 'responses', NOT_FOUND);
  });
});

describe('a relayed request', () => {
  it('keeps its exact bytes without references to stored state', async () => {
    const { output } = await createResponse({});
    const body = (model: string) =>
      `{ "model":"${model}", "temperature" : 1.0,"input":[{"content":"a",  "role":"user"},{"id":"${output[0]?.id}"}],"big":12345678901234567890 }`;
    expect((await rig.post('/v1/responses', body('by-responses'))).status).toBe(200);
    expect(upstream.requests[0]?.raw).toBe(body('their-responses'));
  });

  it('changes only the reference to an item stored here', async () => {
    const { output } = await createResponse({ model: 'by-chat' });
    const others = [user('a'), { role: 'assistant', content: 'b', odd: { of: 1 } }];
    expect((await sendInput([...others, { type: 'item_reference', id: output[0]?.id }])).status).toBe(200);
    expect(upstream.requests[0]?.body['input']).toEqual([...others, output[0]]);
  });

  it('resolves items stored here when it continues a response stored at its vendor', async () => {
    const local = await createResponse({ model: 'by-chat' });
    const native = await createResponse({});
    const compacted = await rig.post('/v1/responses/compact', { model: 'by-chat', input: [user('a'), user('b')] });
    const { output } = (await compacted.json()) as { output: { type: string }[] };
    upstream.requests.length = 0;
    const input = [
      output.find(({ type }) => type === 'compaction'),
      { type: 'item_reference', id: local.output[0]?.id },
      { type: 'item_reference', id: native.output[0]?.id },
      user('c'),
    ];
    expect((await sendInput(input, { previous_response_id: native.id })).status).toBe(200);
    expect(upstream.requests[0]?.body).toMatchObject({
      previous_response_id: native.id,
      input: [{ role: 'developer' }, local.output[0], { id: native.output[0]?.id }, user('c')],
    });
    expect(upstream.requests[0]?.raw).not.toContain('encrypted_content');
  });
});
