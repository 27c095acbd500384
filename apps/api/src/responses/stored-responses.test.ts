import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/refusal.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { modelResponse, respondWith, sendEvents, vendorConfig } from '../../test/vendor.ts';

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

interface ResponseJson {
  id: string;
  output: { id: string }[];
}
async function createResponse(body: Record<string, unknown>): Promise<ResponseJson> {
  const reply = await rig.post('/v1/responses', body);
  expect(reply.status).toBe(200);
  return (await reply.json()) as ResponseJson; // The cast is safe because the endpoint returns a response.
}
const NOT_FOUND = { status: 404, code: 'response_not_found' };

describe('a response stored here', () => {
  it('is returned as it was sent, and cannot be streamed again', async () => {
    const created = await createResponse({
      model: 'by-chat',
      input: 'hi',
      metadata: { a: 'b' },
      instructions: 'be kind',
    });
    const read = await rig.call(`/v1/responses/${created.id}`);
    expect(read.headers.get('content-type')).toContain('application/json');
    expect(await read.json()).toMatchObject({ ...created, completed_at: expect.any(Number) });
    const streamed = await rig.call(`/v1/responses/${created.id}?stream=true&starting_after=0`);
    await expectRefusal(streamed, 'responses', { status: 400, code: 'unsupported_parameter', param: 'stream' });
    expect((await rig.call(`/v1/responses/${created.id}?stream=false`)).status).toBe(200);
    expect(upstream.requests).toHaveLength(1);
  });

  it('returns why it is incomplete', async () => {
    upstream.script = (_request, response) =>
      sendJson(response, 200, {
        choices: [{ index: 0, message: { role: 'assistant', content: 'cut' }, finish_reason: 'length' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      });
    const { id } = await createResponse({ model: 'by-chat', input: 'hi', max_output_tokens: 20 });
    expect(await (await rig.call(`/v1/responses/${id}`)).json()).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      usage: { input_tokens: 1, output_tokens: 1 },
    });
  });

  it('is deleted with its items', async () => {
    const { id, output } = await createResponse({ model: 'by-chat', input: 'hi' });
    const deleted = await rig.call(`/v1/responses/${id}`, { method: 'DELETE' });
    expect(await deleted.json()).toEqual({ id, object: 'response', deleted: true });
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/cancel'],
      ['GET', '/input_items'],
    ]) {
      await expectRefusal(
        await rig.call(`/v1/responses/${id}${rest}`, { method: method ?? '' }),
        'responses',
        NOT_FOUND,
      );
    }
    const input = [{ type: 'item_reference', id: output[0]?.id }];
    const reply = await rig.post('/v1/responses', { model: 'by-chat', input });
    await expectRefusal(reply, 'responses', { status: 404, code: 'item_not_found' });
  });

  it('breaks its conversation when it is deleted: later responses cannot be continued', async () => {
    const first = await createResponse({ model: 'by-chat', input: 'one' });
    const second = await createResponse({ model: 'by-chat', input: 'two', previous_response_id: first.id });
    await rig.call(`/v1/responses/${first.id}`, { method: 'DELETE' });
    const reply = await rig.post('/v1/responses', { model: 'by-chat', input: 'x', previous_response_id: second.id });
    const refusal = { status: 400, code: 'previous_response_not_found', param: 'previous_response_id' };
    await expectRefusal(reply, 'responses', { ...refusal, message: new RegExp(first.id) });
    expect((await rig.call(`/v1/responses/${second.id}`)).status).toBe(200);
  });

  it('cannot be canceled outside the background', async () => {
    const { id } = await createResponse({ model: 'by-chat', input: 'one' });
    const reply = await rig.call(`/v1/responses/${id}/cancel`, { method: 'POST' });
    await expectRefusal(reply, 'responses', { status: 400, code: 'invalid_request', message: /background/ });
  });

  it('lists the input of the conversation, page by page, in both directions', async () => {
    const first = await createResponse({ model: 'by-chat', input: 'one' });
    const { id } = await createResponse({
      model: 'by-chat',
      previous_response_id: first.id,
      input: [
        { role: 'user', content: 'two' },
        { role: 'user', content: 'three' },
      ],
    });
    const texts: Record<string, string[]> = { asc: [], desc: [] };
    for (const order of ['asc', 'desc']) {
      for (let after = ''; ;) {
        const page = await rig.call(`/v1/responses/${id}/input_items?limit=3&order=${order}${after}`);
        const { data, has_more, last_id } = (await page.json()) as {
          data: { content: [{ text: string }] }[];
          has_more: boolean;
          last_id: string;
        };
        texts[order]?.push(...data.map(({ content }) => content[0].text));
        if (!has_more) break;
        after = `&after=${last_id}`;
      }
    }
    expect(texts['asc']).toEqual(['one', 'hello', 'two', 'three']);
    expect(texts['desc']).toEqual(['three', 'two', 'hello', 'one']);
  });
});

describe('a response stored at its vendor', () => {
  let id: string;
  beforeEach(async () => {
    ({ id } = await createResponse({ model: 'by-responses', input: 'hi' }));
    upstream.requests.length = 0;
    upstream.script = (request, response) => {
      if (request.path.includes('input_items')) sendJson(response, 200, { object: 'list', data: [], has_more: false });
      else sendJson(response, 200, modelResponse(id, 'hello'));
    };
  });

  it('is read there, with the client’s model id', async () => {
    const read = await rig.call(`/v1/responses/${id}?include=a&include=b&key=sk-alice-key&evil=1`);
    expect(await read.json()).toMatchObject({
      id,
      model: 'by-responses',
      usage: { prompt_tokens: 3, input_tokens: 3 },
    });
    // Parameters other than these are not forwarded, especially not the client's key.
    expect(upstream.requests[0]?.path).toBe(`/responses/v1/responses/${id}?include=a&include=b`);
    expect(upstream.requests[0]?.headers.authorization).toBe('Bearer sk-vendor-responses');
  });

  it('is streamed from there, from any event', async () => {
    const events = [
      { type: 'response.output_text.delta', sequence_number: 7, delta: 'é' },
      { type: 'response.completed', sequence_number: 8, response: modelResponse(id, 'hello') },
    ];
    upstream.script = (_request, response) => sendEvents(response, events);
    const reply = await rig.call(`/v1/responses/${id}?stream=true&starting_after=6`);
    expect(reply.headers.get('content-type')).toContain('text/event-stream');
    const data = [...(await reply.text()).matchAll(/^data: (.*)$/gm)].map(
      ([, json = '']) => JSON.parse(json) as unknown,
    );
    expect(data).toMatchObject([events[0], { sequence_number: 8, response: { id, model: 'by-responses' } }]);
    expect(upstream.requests[0]?.path).toBe(`/responses/v1/responses/${id}?stream=true&starting_after=6`);
    upstream.script = (_request, response) => sendEvents(response, []);
    const atEnd = await rig.call(`/v1/responses/${id}?stream=true&starting_after=8`);
    expect([atEnd.status, await atEnd.text()]).toEqual([200, '']);
    expect((await rig.call(`/v1/responses/${id}?stream=true`)).status).toBe(502);
    // openai-python#2828
    const message = 'This response can no longer be streamed because it is more than 5 minutes old.';
    const error = { message, type: 'invalid_request_error', param: 'stream', code: null };
    upstream.script = (_request, response) => sendJson(response, 400, { error });
    const tooLate = await rig.call(`/v1/responses/${id}?stream=true&starting_after=99`);
    expect([tooLate.status, await tooLate.json()]).toMatchObject([400, { error: { message, param: 'stream' } }]);
    upstream.script = (_request, response) => sendJson(response, 404, { error: { message: 'no' } });
    await expectRefusal(await rig.call(`/v1/responses/${id}?stream=true`), 'responses', NOT_FOUND);
    upstream.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(events[0])}\n\n`, () => response.destroy());
    };
    const broken = await rig.call(`/v1/responses/${id}?stream=true`);
    expect(await broken.text()).toContain('response.failed');
  });

  it('lists its input there', async () => {
    const page = await rig.call(`/v1/responses/${id}/input_items?limit=2&order=asc&after=x`);
    expect(await page.json()).toEqual({ object: 'list', data: [], has_more: false });
    expect(upstream.requests[0]?.path).toBe(`/responses/v1/responses/${id}/input_items?limit=2&order=asc&after=x`);
  });

  it('is canceled there', async () => {
    expect((await rig.call(`/v1/responses/${id}/cancel`, { method: 'POST' })).status).toBe(200);
    expect(upstream.requests[0]?.path).toBe(`/responses/v1/responses/${id}/cancel`);
  });

  it('is deleted there, then here', async () => {
    upstream.script = (_request, response) => sendJson(response, 503, { error: { message: 'busy' } });
    const refused = await rig.call(`/v1/responses/${id}`, { method: 'DELETE' });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('x-should-retry')).toBe('true');
    upstream.script = (_request, response) => sendJson(response, 200, { id, object: 'response', deleted: true });
    expect(await (await rig.call(`/v1/responses/${id}`, { method: 'DELETE' })).json()).toMatchObject({ deleted: true });
    await expectRefusal(await rig.call(`/v1/responses/${id}`), 'responses', NOT_FOUND);
    expect(upstream.requests).toHaveLength(2);
  });

  it('is removed if it does not exist there, but not if the vendor fails to respond', async () => {
    upstream.script = (_request, response) => void response.socket?.destroy();
    const reply = await rig.call(`/v1/responses/${id}`);
    expect(reply.status).toBe(502);
    expect(await reply.json()).toMatchObject({ error: { code: 'provider_error' } });
    upstream.script = (_request, response) =>
      sendJson(response, 404, {
        error: { message: `Response with id '${id}' not found.`, type: 'invalid_request_error' },
      });
    await expectRefusal(await rig.call(`/v1/responses/${id}`), 'responses', NOT_FOUND);
    await expectRefusal(await rig.call(`/v1/responses/${id}`, { method: 'DELETE' }), 'responses', NOT_FOUND);
  });
});
