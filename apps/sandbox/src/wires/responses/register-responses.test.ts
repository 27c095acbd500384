import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
let clock = 0;
beforeEach(async () => {
  clock = 1_767_323_045_000;
  sandbox = await startSandbox({ now: () => clock });
});
afterEach(() => sandbox.close());

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ type: 'function', name: 'w', parameters }];
interface Completion {
  id: string;
  output: { type: string; id: string; call_id?: string; encrypted_content?: string }[];
}

function send(method: string, path: string, body?: unknown) {
  return fetch(`${sandbox.url}/v1/responses${path}`, {
    method,
    headers: { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
async function respond(input: unknown, more: object = {}): Promise<Completion> {
  return (await (await send('POST', '', { model: 'm', input, ...more })).json()) as Completion;
}
async function json(method: string, path: string, body?: unknown): Promise<unknown> {
  return await (await send(method, path, body)).json();
}
async function eventsOf(input: unknown, more: object = {}): Promise<{ type: string }[]> {
  const reply = await send('POST', '', { model: 'm', input, stream: true, ...more });
  const frames = (await reply.text()).split('\n\n');
  expect(frames.at(-1)).toBe('');
  return frames.slice(0, -1).map((frame, at) => {
    const [, name, data] = /^event: (\S+)\ndata: (.*)$/.exec(frame) ?? [];
    const event = JSON.parse(data ?? '') as { type: string };
    expect(event).toMatchObject({ type: name, sequence_number: at });
    return event;
  });
}
const error = (code: string | null, message: string, param: string | null = null) => ({
  error: { type: 'invalid_request_error', code, param, message: expect.stringContaining(message) },
});

describe('the responses API', () => {
  it('returns every field of a response', async () => {
    expect(await respond('hello', { instructions: 'be brief' })).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: 'response',
      created_at: 1_767_323_045,
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: 'be brief',
      output: [
        {
          id: expect.stringMatching(/^msg_/),
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'You said: hello', annotations: [] }],
        },
      ],
      store: true,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      usage: { input_tokens: 3, input_tokens_details: { cached_tokens: 0 }, output_tokens: 3, total_tokens: 6 },
    });
  });

  it('streams all events of reasoning and text', async () => {
    const events = await eventsOf('hi', { reasoning: { effort: 'low', summary: 'auto' } });
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      ...Array.from({ length: 4 }, () => 'reasoning_summary_text.delta'),
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    expect(events[0]).toMatchObject({ response: { status: 'in_progress', output: [], usage: null } });
    expect(events.at(-1)).toMatchObject({
      response: { status: 'completed', output: [{ type: 'reasoning' }, { type: 'message' }] },
    });
  });

  it('streams calls, including custom and grouped ones', async () => {
    const offered = [
      { type: 'namespace', name: 'ns', tools },
      { type: 'custom', name: 'ex' },
    ];
    const events = await eventsOf('[tool:ns.w] [tool:ex ls]', { tools: offered });
    expect(events.slice(2, -1)).toMatchObject([
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'function_call', arguments: '', status: 'in_progress' },
      },
      { type: 'response.function_call_arguments.delta', delta: '{"city":"text"}' },
      { type: 'response.function_call_arguments.done', arguments: '{"city":"text"}' },
      {
        type: 'response.output_item.done',
        item: { name: 'w', namespace: 'ns', arguments: '{"city":"text"}', status: 'completed' },
      },
      { type: 'response.output_item.added', output_index: 1, item: { type: 'custom_tool_call', input: '' } },
      { type: 'response.custom_tool_call_input.delta', delta: 'ls' },
      { type: 'response.custom_tool_call_input.done', input: 'ls' },
      { type: 'response.output_item.done', item: { name: 'ex', input: 'ls' } },
    ]);
  });

  it('completes a tool loop with its reasoning, without storing responses', async () => {
    const more = { tools, store: false, reasoning: { effort: 'low' } };
    const first = await respond('[tool:w]', more);
    const output = [
      { type: 'input_text', text: 'sunny' },
      { type: 'input_image', image_url: 'https://x/y.png' },
    ];
    const result = { type: 'function_call_output', call_id: first.output[1]?.call_id, output };
    expect(await respond([{ role: 'user', content: '[tool:w]' }, ...first.output, result], more)).toMatchObject({
      output: [{ type: 'reasoning' }, { content: [{ text: 'The tool w answered: sunny I see 1 image.' }] }],
    });
    expect((await send('GET', `/${first.id}`)).status).toBe(404);
  });

  it('continues from a previous response and from references to its items', async () => {
    const first = await respond('[tool:w]', { tools });
    const result = { type: 'function_call_output', call_id: first.output[0]?.call_id, output: 'sunny' };
    const quoted = { output: [{ content: [{ text: 'The tool w answered: sunny' }] }] };
    expect(await respond([result], { previous_response_id: first.id })).toMatchObject(quoted);
    const reference = { type: 'item_reference', id: first.output[0]?.id };
    expect(await respond([{ role: 'user', content: 'x' }, reference, result])).toMatchObject(quoted);
  });

  it('accepts items of programs, and outputs without a call ID', async () => {
    const program = { type: 'program', id: 'p', call_id: 'c', code: 'f()', fingerprint: 'x' };
    const result = {
      type: 'function_call_output',
      name: 'f',
      caller: { type: 'program', caller_id: 'c' },
      output: '1',
    };
    const output = { type: 'program_output', id: 'o', call_id: 'c', result: '1', status: 'completed' };
    expect(await respond([{ role: 'user', content: 'x' }, program, result, output])).toMatchObject({
      status: 'completed',
    });
  });

  it('counts null as empty input', async () => {
    const counted = await json('POST', '/input_tokens', { model: 'm', input: null, personality: 'friendly' });
    expect(counted).toMatchObject({ object: 'response.input_tokens' });
  });

  it('stores responses until they are deleted, and lists their input', async () => {
    const { id } = await respond([
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ]);
    expect(await json('GET', `/${id}`)).toMatchObject({ id, status: 'completed' });
    expect(await json('GET', `/${id}/input_items?limit=1`)).toMatchObject({
      object: 'list',
      data: [{ id: expect.stringMatching(/^msg_/), content: [{ type: 'input_text', text: 'b' }] }],
      has_more: true,
    });
    expect(await json('GET', `/${id}/input_items?order=asc`)).toMatchObject({
      data: [{ content: [{ text: 'a' }] }, { content: [{ text: 'b' }] }],
      has_more: false,
    });
    expect(await json('POST', `/${id}/cancel`)).toMatchObject(error(null, 'Cannot cancel a synchronous response.'));
    expect(await json('DELETE', `/${id}`)).toEqual({ id, object: 'response', deleted: true });
    expect(await json('GET', `/${id}`)).toEqual(error(null, `Response with id '${id}' not found.`));
  });

  it('stores assistant messages as output text', async () => {
    const { id } = await respond([
      { role: 'assistant', content: 'a' },
      { role: 'user', content: 'b' },
    ]);
    expect(await json('GET', `/${id}/input_items?order=asc`)).toMatchObject({
      data: [{ content: [{ type: 'output_text', text: 'a', annotations: [] }] }, { role: 'user' }],
    });
  });

  it('replays only background streams, and rejects others with OpenAI’s messages', async () => {
    const [created] = await eventsOf('a', { background: true });
    const { id } = (created as { response: { id: string } } | undefined)?.response ?? { id: '' };
    expect(await (await send('GET', `/${id}?stream=true&starting_after=1`)).text()).toMatch(
      /^event: response.output_item.added\n/,
    );
    const why = 'This response cannot be streamed because it was not created with';
    for (const [more, missing] of [
      [{}, 'background=true.'],
      [{ background: true }, 'stream=true or the stream TTL has expired.'],
    ] as const) {
      const other = await respond('a', more);
      const refused = await send('GET', `/${other.id}?stream=true`);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toEqual(error('invalid_request_error', `${why} ${missing}`, 'stream'));
    }
  });

  it('completes a background response in time, unless it is canceled', async () => {
    const { id } = await respond('[slow:5] hi', { background: true });
    expect(await json('GET', `/${id}`)).toMatchObject({ status: 'in_progress', output: [] });
    clock += 5000;
    expect(await json('GET', `/${id}`)).toMatchObject({ status: 'completed', output: [{ type: 'message' }] });
    const { id: other } = await respond('[slow:5] hi', { background: true });
    expect(await json('POST', `/${other}/cancel`)).toMatchObject({ status: 'cancelled' });
    clock += 5000;
    expect(await json('GET', `/${other}`)).toMatchObject({ status: 'cancelled', output: [] });
  });

  it('compacts on demand and at a trigger, and decrypts only its own compactions', async () => {
    const turns = [
      { role: 'user', content: 'I am Bo' },
      { role: 'assistant', content: 'Hi Bo' },
    ];
    const compacted = (await json('POST', '/compact', { model: 'm', input: turns })) as Completion;
    expect(compacted).toMatchObject({
      object: 'response.compaction',
      output: [{ role: 'user' }, { type: 'compaction' }],
    });
    const summarizedTurns = { output: [{ content: [{ text: 'You said: and?\nI remember 2 earlier turns.' }] }] };
    expect(await respond([...compacted.output, { role: 'user', content: 'and?' }])).toMatchObject(summarizedTurns);
    const events = await eventsOf([...turns, { type: 'compaction_trigger' }]);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output: [{ type: 'compaction' }] } });
    const [, item] = compacted.output;
    const changed = { ...item, encrypted_content: `A${item?.encrypted_content?.slice(1)}` };
    expect(await respond([changed, { role: 'user', content: 'and?' }])).toMatchObject({
      error: { code: 'invalid_encrypted_content' },
    });
  });

  it.each([
    ['[refuse]', {}, { status: 'completed', output: [{ content: [{ type: 'refusal' }] }] }],
    ['[filter]', {}, { status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output: [] }],
    [
      '[long:50]',
      { max_output_tokens: 16 },
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    ],
    [
      'hi',
      { text: { format: { type: 'json_schema', name: 'x', schema: parameters } } },
      { output: [{ content: [{ text: '{"city":"text"}' }] }] },
    ],
    ['[tool:w]', { tools, tool_choice: 'none' }, { output: [{ type: 'message' }] }],
    ['hi', { tools, tool_choice: { type: 'function', name: 'w' } }, { output: [{ type: 'function_call', name: 'w' }] }],
  ])('encodes %s with %j', async (input, more, response) => {
    expect(await respond(input, more)).toMatchObject(response);
  });

  it('counts tokens', async () => {
    expect(await json('POST', '/input_tokens', { model: 'm', input: 'a b c' })).toEqual({
      object: 'response.input_tokens',
      input_tokens: 3,
    });
  });
});
