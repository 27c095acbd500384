import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/refusal.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  upstream = await scriptedUpstream(respondWith('in short: a kite'));
  rig = await textRig(vendorConfig(upstream.url));
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

interface Item {
  type: string;
  encrypted_content?: string;
}
const conversation = [
  { role: 'developer', content: 'be kind' },
  { role: 'user', content: 'draw a kite' },
  { role: 'assistant', content: 'I have drawn it' },
  { role: 'user', content: 'and now?' },
];

async function compact(params: Record<string, unknown>): Promise<Item[]> {
  const reply = await rig.post('/v1/responses/compact', params);
  const body = (await reply.json()) as { object: string; output: Item[] };
  expect(reply.status, JSON.stringify(body)).toBe(200);
  expect(body.object).toBe('response.compaction');
  return body.output;
}

describe.each(['by-chat', 'by-messages', 'by-gemini'])('a conversation compacted by %s', (model) => {
  it('returns the user’s messages and one encrypted item, with its usage', async () => {
    const reply = await rig.post('/v1/responses/compact', { model, input: conversation });
    expect(reply.headers.get('x-sluice-upstream')).toBeTruthy();
    const body = (await reply.json()) as { output: Item[] };
    expect(body).toMatchObject({ usage: { input_tokens: 3, prompt_tokens: 3, output_tokens: 2 } });
    expect(body.output.filter(({ type }) => type === 'compaction')).toHaveLength(1);
    expect(body.output.at(-1)).toMatchObject({ type: 'compaction', id: expect.stringMatching(/^cmp_/) });
    expect(JSON.stringify(body.output)).toContain('draw a kite');
    expect(JSON.stringify(body)).not.toMatch(/I have drawn it|in short/);
  });

  it('is summarized by one buffered request without the client’s tools and limits', async () => {
    const tools = [{ type: 'function', name: 'draw', parameters: {} }];
    await compact({ model, input: conversation, tools, max_output_tokens: 16, instructions: 'mind the wind' });
    expect(upstream.requests).toHaveLength(1);
    const [request] = upstream.requests;
    const raw = request?.raw;
    const body = request?.body;
    expect(raw).toContain('mind the wind');
    expect(raw).toContain('I have drawn it');
    expect(body?.['tools']).toBeUndefined();
    expect(body?.['stream']).not.toBe(true);
    expect(raw).not.toMatch(/"max\w*":16[,}]/i);
  });

  it('continues from its output: the summary replaces the earlier items', async () => {
    const output = await compact({ model, input: conversation });
    const next = { model, input: [...output, { role: 'user', content: 'more' }] };
    expect((await rig.post('/v1/responses', next)).status).toBe(200);
    const raw = upstream.requests.at(-1)?.raw ?? '';
    expect(raw).toContain('in short: a kite');
    expect(raw).toContain('more');
    expect(raw).not.toContain('I have drawn it');
    // compacts a conversation that already contains a compaction
    const again = await compact({ model, input: next.input });
    expect(again.filter(({ type }) => type === 'compaction')).toHaveLength(1);
  });

  it('can be a stored conversation', async () => {
    const { id } = (await (await rig.post('/v1/responses', { model, input: conversation })).json()) as { id: string };
    await compact({ model, previous_response_id: id });
    expect(upstream.requests.at(-1)?.raw).toContain('I have drawn it');
  });

  it('cannot be continued after a change', async () => {
    const output = await compact({ model, input: conversation });
    const encryptedContent = output.at(-1)?.encrypted_content ?? '';
    const middle = Math.floor(encryptedContent.length / 2);
    const flipped = encryptedContent[middle] === 'A' ? 'B' : 'A';
    for (const changed of [
      encryptedContent.slice(0, middle) + flipped + encryptedContent.slice(middle + 1),
      encryptedContent.slice(0, -8),
      encryptedContent.slice(0, 8),
    ]) {
      const input = [
        { type: 'compaction', encrypted_content: changed },
        { role: 'user', content: 'more' },
      ];
      for (const at of ['/v1/responses', '/v1/responses/compact']) {
        await expectRefusal(await rig.post(at, { model, input }), 'responses', {
          status: 400,
          code: 'invalid_encrypted_content',
          param: 'input[0][encrypted_content]',
        });
      }
    }
    expect(upstream.requests).toHaveLength(1);
  });

  it('cannot be continued if another gateway encrypted it', async () => {
    const input = [
      { type: 'compaction', encrypted_content: 'gAAAAABo-theirs' },
      { role: 'user', content: 'more' },
    ];
    const reply = await rig.post('/v1/responses', { model, input });
    await expectRefusal(reply, 'responses', { status: 400, code: 'invalid_encrypted_content' });
  });

  it('is an error if the model returns no text, never an empty item', async () => {
    upstream.script = respondWith(' ');
    const reply = await rig.post('/v1/responses/compact', { model, input: conversation });
    expect(reply.status).toBe(502);
    expect(await reply.json()).toMatchObject({ error: { code: 'provider_error', type: 'server_error' } });
  });
});

describe.each(['by-chat', 'by-messages', 'by-gemini'])('a request to %s that ends in a compaction trigger', (model) => {
  const input = [...conversation, { type: 'compaction_trigger' }];

  it('returns exactly one compaction item, buffered', async () => {
    const reply = await rig.post('/v1/responses', { model, input, store: false });
    const response = (await reply.json()) as { id: string; output: Item[] };
    expect(response).toMatchObject({ object: 'response', status: 'completed', model, usage: { total_tokens: 5 } });
    expect(response.output).toEqual([
      { type: 'compaction', id: expect.stringMatching(/^cmp_/), encrypted_content: expect.any(String) },
    ]);
    expect(upstream.requests[0]?.raw).not.toContain('compaction_trigger');
    const next = await rig.post('/v1/responses', {
      model,
      input: [...response.output, { role: 'user', content: 'more' }],
    });
    expect(next.status).toBe(200);
    expect(upstream.requests.at(-1)?.raw).toContain('in short: a kite');
  });

  it('returns exactly one compaction item, streamed', async () => {
    const reply = await rig.post('/v1/responses', { model, input, stream: true, store: false });
    expect(reply.headers.get('content-type')).toContain('text/event-stream');
    const text = await reply.text();
    expect(text.match(/event: response\.output_item\.done\n/g)).toHaveLength(1);
    const done = /event: response\.completed\ndata: (.+)\n/.exec(text)?.[1] ?? '{}';
    expect(JSON.parse(done)).toMatchObject({ response: { status: 'completed', output: [{ type: 'compaction' }] } });
    expect(text.trimEnd().split('\n\n').at(-1)).toMatch(/^event: response\.completed/);
  });

  it('is rejected with a status, or inside a stream that was kept alive', async () => {
    upstream.script = (_request, response) => sendJson(response, 500, { error: { message: 'no' } });
    for (const stream of [false, true]) {
      expect((await rig.post('/v1/responses', { model, input, stream })).status).toBe(502);
    }
  });

  it('is a normal request if the trigger is not last', async () => {
    const items = [{ role: 'user', content: 'what is a "compaction_trigger"?' }];
    const reply = await rig.post('/v1/responses', { model, input: items });
    expect(await reply.json()).toMatchObject({ output: [{ type: 'message' }] });
  });
});

it('ends a stream that was kept alive as failed if there is nothing to summarize', async () => {
  const slow = await textRig({ ...vendorConfig(upstream.url), timeouts: { keep_alive_ms: 40 } });
  try {
    upstream.script = (_request, response) =>
      void setTimeout(() => sendJson(response, 500, { error: { message: 'no' } }), 150);
    const input = [...conversation, { type: 'compaction_trigger' }];
    const text = await (await slow.post('/v1/responses', { model: 'by-chat', input, stream: true })).text();
    expect(text).toMatch(/^: keep-alive\n[^]*event: response\.failed\ndata: [^\n]*"server_error"/);
    expect(text).not.toContain('response.completed');
  } finally {
    await slow.close();
  }
});

describe('a conversation compacted by a vendor of the protocol', () => {
  it('returns the vendor’s response, with usage under both families of names', async () => {
    const reply = await rig.post('/v1/responses/compact', { model: 'by-responses', input: conversation });
    expect(reply.headers.get('content-type')).toContain('application/json');
    expect(await reply.json()).toMatchObject({
      output: [{ type: 'compaction', encrypted_content: 'encrypted by them' }],
      usage: { input_tokens: 3, output_tokens: 2, prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
    expect(upstream.requests[0]).toMatchObject({
      path: '/responses/v1/responses/compact',
      body: { model: 'their-responses', input: conversation },
    });
  });

  it('is sent back to that vendor unchanged', async () => {
    const input = [
      { type: 'compaction', encrypted_content: 'encrypted by them' },
      { role: 'user', content: 'more' },
    ];
    expect((await rig.post('/v1/responses', { model: 'by-responses', input })).status).toBe(200);
    expect(upstream.requests[0]?.body).toMatchObject({ input });
  });

  it('may be triggered at the vendor: the request is relayed', async () => {
    const input = [...conversation, { type: 'compaction_trigger' }];
    expect((await rig.post('/v1/responses', { model: 'by-responses', input })).status).toBe(200);
    expect(upstream.requests[0]?.body).toMatchObject({ input });
  });
});

describe('a vendor of the protocol without compaction', () => {
  beforeEach(() => {
    const reply = respondWith('in short: a kite');
    upstream.script = (request, response) => {
      if (!request.path.endsWith('/compact')) return reply(request, response);
      sendJson(response, 404, { error: { message: 'no such call' } });
    };
  });

  it('has its model write a summary', async () => {
    const output = await compact({ model: 'by-responses', input: conversation });
    expect(output.at(-1)?.encrypted_content).toMatch(/^R1cy/);
    const next = { model: 'by-responses', input: [...output, { role: 'user', content: 'more' }] };
    expect((await rig.post('/v1/responses', next)).status).toBe(200);
    expect(upstream.requests.at(-1)?.raw).toMatch(/in short: a kite.*more/);
  });

  it('summarizes a conversation that the vendor stores', async () => {
    const created = await rig.post('/v1/responses', { model: 'by-responses', input: conversation });
    const { id } = (await created.json()) as { id: string };
    await compact({ model: 'by-responses', previous_response_id: id });
    expect(upstream.requests.at(-1)?.body).toMatchObject({ previous_response_id: id });
    expect(upstream.requests.at(-1)?.raw).toContain('handoff summary');
  });

  it('rejects an empty conversation', async () => {
    const reply = await rig.post('/v1/responses/compact', { model: 'by-responses' });
    await expectRefusal(reply, 'responses', { status: 400, code: 'invalid_request', param: 'input' });
  });

  it('returns the error if the model is unknown, too', async () => {
    upstream.script = (_request, response) => sendJson(response, 404, { error: { message: 'no such model' } });
    const reply = await rig.post('/v1/responses/compact', { model: 'by-responses', input: conversation });
    expect(reply.status).toBeGreaterThanOrEqual(400);
  });
});
