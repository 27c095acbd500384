import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const KEY = { 'x-api-key': 'sk-sandbox', 'anthropic-version': '2023-06-01' };
const tools = [
  { name: 'w', input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
];
const thinking = { type: 'enabled', budget_tokens: 1024 };

function call(text: string, more: object = {}, headers: Record<string, string> = KEY, path = '') {
  return fetch(`${sandbox.url}/v1/messages${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', max_tokens: 2000, messages: [{ role: 'user', content: text }], ...more }),
  });
}
async function responseTo(text: string, more: object = {}): Promise<unknown> {
  return await (await call(text, more)).json();
}
async function eventsOf(text: string, more: object = {}): Promise<{ type: string }[]> {
  const frames = (await (await call(text, { stream: true, ...more })).text()).split('\n\n');
  expect(frames.at(-1)).toBe('');
  return frames.slice(0, -1).map((frame) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
    // The cast is safe because the sandbox always sends a type.
    const event = JSON.parse(data ?? '') as { type: string };
    expect(event.type).toBe(name);
    return event;
  });
}

describe('the messages API', () => {
  it.each([
    [{}, 401, 'authentication_error', 'x-api-key header is required'],
    [{ 'x-api-key': 'sk-other', 'anthropic-version': '2023-06-01' }, 401, 'authentication_error', 'invalid x-api-key'],
    [{ 'x-api-key': 'sk-sandbox' }, 400, 'invalid_request_error', 'anthropic-version: header is required'],
  ])('rejects %j', async (headers, status, type, message) => {
    const response = await call('hi', {}, headers);
    expect(response.status).toBe(status);
    const requestId = response.headers.get('request-id');
    expect(await response.json()).toEqual({ type: 'error', error: { type, message }, request_id: requestId });
  });

  it('accepts the key as Bearer too', async () => {
    const headers = { authorization: 'Bearer sk-sandbox', 'anthropic-version': '2026-10-21' };
    expect((await call('hi', {}, headers)).status).toBe(200);
  });

  it('returns a buffered response', async () => {
    expect(await responseTo('hello')).toMatchObject({
      id: expect.stringMatching(/^msg_01/),
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'You said: hello' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, cache_read_input_tokens: 0, output_tokens: 3 },
    });
  });

  it('streams every block from start to stop, one at a time', async () => {
    const events = await eventsOf('[tool:w] [tool:w {}]', { tools, thinking });
    expect(events.map(({ type }) => type).filter((type) => type !== 'content_block_delta')).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      ...['stop', 'start', 'stop', 'start', 'stop'].map((part) => `content_block_${part}`),
      'message_delta',
      'message_stop',
    ]);
    expect(events).toMatchObject([
      { message: { content: [], stop_reason: null, usage: { output_tokens: 1 } } },
      { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      {},
      ...[1, 2, 3, 4].map(() => ({ index: 0, delta: { type: 'thinking_delta' } })),
      { index: 0, delta: { type: 'signature_delta' } },
      { index: 0 },
      { index: 1, content_block: { type: 'tool_use', name: 'w', input: {} } },
      { index: 1, delta: { type: 'input_json_delta', partial_json: '' } },
      { index: 1, delta: { type: 'input_json_delta', partial_json: '{"city":"text"}' } },
      { index: 1 },
      { index: 2, content_block: { type: 'tool_use', name: 'w', input: {} } },
      { index: 2, delta: { type: 'input_json_delta', partial_json: '' } },
      { index: 2 },
      { delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: expect.any(Number) } },
      {},
    ]);
  });

  it('completes a tool loop with its thinking, cached the second time', async () => {
    const request = { role: 'user', content: '[tool:w]' };
    const first = await responseTo('[tool:w]', { tools, thinking });
    const { content } = first as { content: { id?: string }[] };
    const result = { type: 'tool_result', tool_use_id: content[1]?.id, content: 'no such city', is_error: true };
    const messages = [request, { role: 'assistant', content }, { role: 'user', content: [result] }];
    expect(await responseTo('', { messages, tools, thinking })).toMatchObject({
      content: [{ type: 'thinking' }, { type: 'text', text: 'The tool w failed: no such city' }],
      usage: { input_tokens: 3, cache_read_input_tokens: expect.any(Number) },
    });
  });

  it('omits the text of thinking on request, and accepts it back', async () => {
    const more = { thinking: { type: 'adaptive', display: 'omitted' } };
    const { content } = (await responseTo('hi', more)) as { content: object[] };
    expect(content[0]).toMatchObject({ type: 'thinking', thinking: '', signature: expect.stringMatching(/./) });
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content },
      { role: 'user', content: 'so?' },
    ];
    expect((await call('', { messages, ...more })).status).toBe(200);
  });

  it.each([
    ['[redacted] hi', {}, { content: [{ type: 'redacted_thinking' }, { type: 'text' }], stop_reason: 'end_turn' }],
    ['[refuse]', {}, { stop_reason: 'refusal', stop_details: { type: 'refusal' } }],
    ['[filter]', {}, { content: [], stop_reason: 'refusal' }],
    ['[empty]', {}, { content: [], stop_reason: 'end_turn' }],
    ['a b c', { max_tokens: 3 }, { content: [{ text: 'You said: a' }], stop_reason: 'max_tokens' }],
    ['a b c', { stop_sequences: ['b'] }, { stop_reason: 'stop_sequence', stop_sequence: 'b' }],
    ['hi', { tools, tool_choice: { type: 'any' } }, { content: [{ type: 'tool_use', input: { city: 'text' } }] }],
  ])('encodes %s with %j', async (text, more, message) => {
    expect(await responseTo(text, more)).toMatchObject(message);
  });

  it('reports with Anthropic’s messages that a prompt is too long, and that it is overloaded', async () => {
    expect(await responseTo('[context]')).toMatchObject({
      error: { message: expect.stringMatching(/^prompt is too long: \d+ tokens > 200000 maximum$/) },
    });
    expect(await responseTo('[overloaded]')).toMatchObject({ error: { type: 'overloaded_error' } });
    expect((await eventsOf('[error]')).at(-1)).toMatchObject({ error: { type: 'overloaded_error' } });
  });

  it('counts tokens', async () => {
    const body = { max_tokens: undefined };
    expect(await (await call('a b c', body, KEY, '/count_tokens')).json()).toEqual({ input_tokens: 3 });
  });
});
