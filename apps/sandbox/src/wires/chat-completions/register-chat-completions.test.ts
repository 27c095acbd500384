import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
let ids = 0;
beforeEach(async () => {
  ids = 0;
  const newId = () => String((ids += 1)).padStart(24, '0');
  sandbox = await startSandbox({ newId, now: () => 1_767_323_045_000 });
});
afterEach(() => sandbox.close());

const tool = {
  type: 'function',
  function: { name: 'w', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
};

function call(text: string, more: object = {}, key = 'sk-sandbox') {
  return fetch(`${sandbox.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }], ...more }),
  });
}
function list(key: string) {
  return fetch(`${sandbox.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
}
async function responseTo(text: string, more: object = {}): Promise<unknown> {
  return await (await call(text, more)).json();
}
async function chunksOf(text: string, more: object = {}): Promise<unknown[]> {
  const frames = (await (await call(text, { stream: true, ...more })).text()).split('\n\n');
  expect(frames.slice(-2)).toEqual(['data: [DONE]', '']);
  return frames.slice(0, -2).map((frame): unknown => JSON.parse(/^data: (.*)$/.exec(frame)?.[1] ?? ''));
}
const delta = (of: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: of, finish_reason: finish }],
});

describe('the chat-completions API', () => {
  it('lists its models for its key', async () => {
    expect((await list('sk-other')).status).toBe(401);
    const { data } = (await (await list('sk-sandbox')).json()) as { data: { id: string }[] }; // Cast: the part read here.
    expect(data.map(({ id }) => id)).toContain('sandbox-chat');
  });

  it('requires the key', async () => {
    const response = await call('hi', {}, 'sk-other');
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key', type: 'invalid_request_error' } });
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('rejects a body that is not JSON in OpenAI’s format', async () => {
    const headers = { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' };
    const response = await fetch(`${sandbox.url}/v1/chat/completions`, { method: 'POST', headers, body: '{' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param: null } });
  });

  it('returns a buffered response', async () => {
    expect(await responseTo('hello', { n: 2 })).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: 1_767_323_045,
      model: 'm',
      choices: [0, 1].map((index) => ({
        index,
        message: { role: 'assistant', content: 'You said: hello', refusal: null },
        finish_reason: 'stop',
      })),
      usage: { prompt_tokens: 1, completion_tokens: 6, total_tokens: 7, prompt_tokens_details: { cached_tokens: 0 } },
    });
  });

  it('streams a role, chunks, the finish reason, and usage only on request', async () => {
    expect(await chunksOf('[think] hi')).toMatchObject([
      delta({ role: 'assistant', content: '', refusal: null }),
      ...['The user wrote', ' 2 words. I', ' shall answer them', ' plainly.'].map((part) =>
        delta({ reasoning_content: part }),
      ),
      delta({ content: 'You said: hi' }),
      delta({}, 'stop'),
    ]);
    const chunks = await chunksOf('hi', { stream_options: { include_usage: true } });
    expect(chunks.slice(0, -1)).toMatchObject(chunks.slice(0, -1).map(() => ({ usage: null })));
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 3 } });
  });

  it('streams parallel calls: the name once, then only arguments', async () => {
    const chunks = await chunksOf('[tool:w] [tool:w {"city":"a very long name"}]', { tools: [tool] });
    expect(chunks).toMatchObject(
      [
        delta({ role: 'assistant', content: null }),
        delta({ tool_calls: [{ index: 0, id: /^call_/, type: 'function', function: { name: 'w', arguments: '' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '{"city":"text"}' } }] }),
        delta({ tool_calls: [{ index: 1, type: 'function', function: { name: 'w', arguments: '' } }] }),
        delta({ tool_calls: [{ index: 1, function: { arguments: '{"city":"a very long' } }] }),
        delta({ tool_calls: [{ index: 1, function: { arguments: ' name"}' } }] }),
        delta({}, 'tool_calls'),
      ].map(
        (chunk) =>
          JSON.parse(JSON.stringify(chunk, (key, value: unknown) => (key === 'id' ? undefined : value))) as object,
      ),
    ); // The replacer removes the ids, which are checked below.
    expect(JSON.stringify(chunks[2])).not.toContain('"name"');
    const callIds = JSON.stringify(chunks).match(/call_\d+/g) ?? [];
    expect(new Set(callIds).size).toBe(2);
  });

  it('calls custom tools with free text', async () => {
    const tools = [{ type: 'custom', custom: { name: 'ex' } }];
    expect(await responseTo('[tool:ex ls -l]', { tools })).toMatchObject({
      choices: [
        { message: { content: null, tool_calls: [{ type: 'custom', custom: { name: 'ex', input: 'ls -l' } }] } },
      ],
    });
  });

  it('quotes results and counts earlier turns as cached', async () => {
    const call1 = { id: 'c1', type: 'function', function: { name: 'w', arguments: '{}' } };
    const messages = [
      { role: 'user', content: '[tool:w] in Bonn' },
      { role: 'assistant', content: null, tool_calls: [call1] },
      { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
    ];
    expect(await responseTo('', { messages, tools: [tool], tool_choice: 'required' })).toMatchObject({
      choices: [{ message: { content: 'The tool w answered: sunny' }, finish_reason: 'stop' }],
      usage: { prompt_tokens_details: { cached_tokens: expect.any(Number) } },
    });
  });

  it.each([
    ['[refuse]', {}, { content: null, refusal: expect.stringContaining('can’t help') }, 'stop'],
    ['[filter]', {}, { content: '' }, 'content_filter'],
    ['[empty]', {}, { content: '' }, 'stop'],
    ['a b c', { max_completion_tokens: 3 }, { content: 'You said: a' }, 'length'],
    ['a b c', { stop: ['b'] }, { content: 'You said: a ' }, 'stop'],
    ['hi', { reasoning_effort: 'low' }, { reasoning_content: expect.any(String) }, 'stop'],
    ['[json] hi', {}, { content: '{"answer":"hi"}' }, 'stop'],
  ])('encodes %s with %j', async (text, more, message, finish) => {
    expect(await responseTo(text, more)).toMatchObject({ choices: [{ message, finish_reason: finish }] });
  });

  it('reports with OpenAI’s message that a prompt is too long', async () => {
    expect(await responseTo('[context]')).toMatchObject({
      error: {
        code: 'context_length_exceeded',
        param: 'messages',
        message: expect.stringContaining('maximum context length'),
      },
    });
  });
});
