import { type ContentBlock, GatewayError } from '@sluice/canonical';
import fc from 'fast-check';
import type { Response as SdkResponse } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { encodeResponse, outputItems } from './encode-response.ts';
import { encodeStream } from './encode-stream.ts';
import { ResponseSchema } from '../wire/schema.ts';
import {
  contextOf,
  eventsOf,
  encode,
  completions,
  framesOf,
  readBySdk,
  thought,
  call,
} from '../../../test/streams/encoded-responses-stream.ts';

describe('encodeStream', () => {
  it('reports the completion time only in the last event', () => {
    let now = 1_790_000_000;
    const context = () => ({ ...contextOf(), now: () => ++now });
    expect(completions('stop', context())).toEqual([null, null, 1_790_000_001]);
    expect(completions('length', context())).toEqual([null, null, null]);
    expect(completions('stop', contextOf())).toEqual([null, null, null]);
  });

  it('writes the complete sequence of events, numbered from 0 without a gap', () => {
    const frames = framesOf(encode(eventsOf([thought, { type: 'text', text: 'Hello' }, call], 'tool_calls')));
    expect(frames.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(frames.map(({ sequence_number: number }) => number)).toEqual(frames.map((_frame, index) => index));
  });

  it('is readable by the published client and contains the streamed content', async () => {
    const { final, types } = await readBySdk(
      encode(eventsOf([thought, { type: 'text', text: 'Hello' }, call], 'tool_calls')),
    );
    expect(final.output_text).toBe('Hello');
    expect(final.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    expect(final.usage?.total_tokens).toBe(10);
    expect(types.at(-1)).toBe('response.completed');
  });

  it('writes every event with the fields of its type', () => {
    const [created] = framesOf(encode(eventsOf([{ type: 'text', text: 'Hello' }])));
    expect(created?.type === 'response.created' && created.response.status).toBe('in_progress');
    const frames = framesOf(encode(eventsOf([{ type: 'text', text: 'Hello' }, call])));
    for (const frame of frames) {
      if (frame.type === 'response.output_text.delta') {
        const expected = { output_index: 0, content_index: 0, delta: 'Hello', logprobs: [] };
        expect(frame).toMatchObject(expected satisfies Partial<typeof frame>);
        expect(frame.item_id).toMatch(/^msg_[0-9a-f]{32}$/);
      } else if (frame.type === 'response.function_call_arguments.done') {
        const expected = { output_index: 1, arguments: call.arguments };
        expect(frame).toMatchObject(expected satisfies Partial<typeof frame>);
        expect(frame.item_id).toMatch(/^fc_[0-9a-f]{32}$/);
      } else if (frame.type === 'response.completed') {
        ResponseSchema.parse(frame.response);
        expect(frame.response.output).toHaveLength(2);
      }
    }
  });

  it('announces an item before its deltas, under the same id and index', () => {
    const announced = new Set<string>();
    for (const frame of framesOf(encode(eventsOf([thought, { type: 'text', text: 'a' }, call])))) {
      if (frame.type === 'response.output_item.added') announced.add(`${frame.output_index} ${String(frame.item.id)}`);
      if ('item_id' in frame) expect(announced).toContain(`${String(frame['output_index'])} ${String(frame.item_id)}`);
    }
    expect(announced.size).toBe(3);
  });

  it('streams a custom tool’s input with the client’s name and namespace', () => {
    const tools = [{ kind: 'custom' as const, name: 'exec', clientName: { name: 'exec', namespace: 'functions' } }];
    const block: ContentBlock = { type: 'tool-call', callId: 'c1', name: 'exec', kind: 'custom', arguments: 'ls -l' };
    const frames = framesOf(encode(eventsOf([block], 'tool_calls'), contextOf({}, { tools })));
    expect(frames.map(({ type }) => type)).toContain('response.custom_tool_call_input.delta');
    expect(frames.find(({ type }) => type === 'response.custom_tool_call_input.done')).toMatchObject({
      input: 'ls -l',
    });
    expect(frames.find(({ type }) => type === 'response.output_item.done')).toMatchObject({
      item: { type: 'custom_tool_call', name: 'exec', namespace: 'functions', input: 'ls -l', call_id: 'c1' },
    });
  });

  it('restores a namespaced function from its flat name', () => {
    const tools = [
      {
        kind: 'function' as const,
        name: 'multi_agent_v1__close_agent',
        clientName: { name: 'close_agent', namespace: 'multi_agent_v1' },
      },
    ];
    const block: ContentBlock = { ...call, name: 'multi_agent_v1__close_agent' };
    const done = framesOf(encode(eventsOf([block]), contextOf({}, { tools }))).find(
      ({ type }) => type === 'response.output_item.done',
    );
    expect(done).toMatchObject({ item: { type: 'function_call', name: 'close_agent', namespace: 'multi_agent_v1' } });
  });

  it('writes an empty object for a function without arguments', () => {
    const frames = framesOf(encode(eventsOf([{ ...call, arguments: '' }])));
    expect(frames.find(({ type }) => type === 'response.function_call_arguments.delta')).toMatchObject({ delta: '{}' });
    expect(frames.find(({ type }) => type === 'response.output_item.done')).toMatchObject({
      item: { arguments: '{}' },
    });
  });

  it('writes no message for an empty text', async () => {
    const { final } = await readBySdk(encode(eventsOf([{ type: 'text', text: '' }, call], 'tool_calls')));
    expect(final.output.map(({ type }) => type)).toEqual(['function_call']);
  });

  it('writes consecutive texts as parts of one message', async () => {
    const blocks: ContentBlock[] = [
      { type: 'text', text: 'See ', citations: [{ url: 'https://a.example/', title: 'A', start: 0, end: 3 }] },
      { type: 'text', text: 'that.' },
      { type: 'refusal', text: 'No more.' },
    ];
    const text = encode(eventsOf(blocks));
    const { final } = await readBySdk(text);
    expect(final.output).toMatchObject([
      {
        type: 'message',
        content: [
          { type: 'output_text', annotations: [{ type: 'url_citation', url: 'https://a.example/', start_index: 0 }] },
          { type: 'output_text', text: 'that.' },
          { type: 'refusal', refusal: 'No more.' },
        ],
      },
    ]);
    expect(framesOf(text).filter(({ type }) => type === 'response.output_text.annotation.added')).toHaveLength(1);
  });

  it('ends a truncated response as incomplete, including its last message', async () => {
    const { final, types } = await readBySdk(encode(eventsOf([{ type: 'text', text: 'Hel' }], 'length')));
    expect(types.at(-1)).toBe('response.incomplete');
    expect(final).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
      usage: { output_tokens: 3 },
    });
  });

  it('ends a failed stream with response.failed', () => {
    const encoder = encodeStream(contextOf());
    const [start, ...rest] = eventsOf([{ type: 'text', text: 'Hel' }]);
    let text =
      encoder.push(start ?? { type: 'ping' }) +
      rest
        .slice(0, 2)
        .map((event) => encoder.push(event))
        .join('');
    text += encoder.fail(new GatewayError('provider_error', 'The upstream broke off.'));
    const frames = framesOf(text);
    expect(frames.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message: 'The upstream broke off.' } },
    });
    ResponseSchema.parse(frames.at(-1)?.['response']);
    expect(rest.map((event) => encoder.push(event)).join('')).toBe('');
    expect(encoder.fail(new GatewayError('provider_error', 'Again.')) + encoder.keepAlive()).toBe('');
  });

  it('fails with a complete response, even before any output', () => {
    const frames = framesOf(encodeStream(contextOf()).fail(new GatewayError('context_length_exceeded', 'Too long.')));
    expect(frames.map(({ type }) => type)).toEqual(['response.created', 'response.in_progress', 'response.failed']);
    const failed = frames.at(-1)?.['response'];
    expect(failed).toMatchObject({ id: contextOf().responseId, error: { code: 'context_length_exceeded' } });
    ResponseSchema.parse(failed);
  });

  it('converts an error event to response.failed', () => {
    const error = new GatewayError('rate_limited', 'Slow down.');
    const frames = framesOf(
      encode([{ type: 'start', id: 'x', model: 'y' }, { type: 'error', error }, { type: 'end' }]),
    );
    expect(frames.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { error: { code: 'rate_limit_exceeded' } },
    });
  });

  it('keeps the connection alive with comments that no client reads', async () => {
    const encoder = encodeStream(contextOf());
    const events = eventsOf([{ type: 'text', text: 'Hello' }]);
    const text = events
      .map((event) => encoder.keepAlive() + encoder.push({ type: 'ping' }) + encoder.push(event))
      .join('');
    expect((await readBySdk(text)).final.output_text).toBe('Hello');
  });

  it('sends no [DONE]', () => {
    expect(encode(eventsOf([{ type: 'text', text: 'x' }]))).not.toContain('[DONE]');
  });

  it('writes images as image generation calls', async () => {
    const image: ContentBlock = {
      type: 'media',
      kind: 'image',
      source: { from: 'base64', mediaType: 'image/jpeg', data: '/9j/AAAA' },
    };
    const { final } = await readBySdk(encode(eventsOf([{ type: 'text', text: 'Here' }, image])));
    expect(final.output[1]).toMatchObject({ type: 'image_generation_call', result: '/9j/AAAA', output_format: 'jpeg' });
  });

  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
  const block: fc.Arbitrary<ContentBlock> = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text }),
    fc.record({ type: fc.constant('refusal' as const), text }),
    fc.record({
      type: fc.constant('reasoning' as const),
      text: fc.array(text, { maxLength: 3 }),
      isSummary: fc.boolean(),
    }),
    fc.record({
      type: fc.constant('tool-call' as const),
      callId: fc.uuid(),
      name: fc.constant('f'),
      kind: fc.constantFrom('function' as const, 'custom' as const),
      arguments: text,
    }),
  );

  it('writes the same items as a buffered and as a stored response', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), (content) => {
        const context = contextOf();
        const generation = { id: 'x', model: 'y', choices: [{ content, finish: 'stop' as const }] };
        // The cast is safe because the last event contains the complete response.
        const last = framesOf(encode(eventsOf(content))).at(-1)?.['response'] as { output: unknown };
        expect(last.output).toEqual(outputItems(generation, context));
        expect(encodeResponse(generation, context).output).toEqual(last.output);
      }),
    );
  });

  it('writes events that the published client can assemble, for any response', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 5 }), async (content) => {
        const written = encode(eventsOf(content));
        const { final } = await readBySdk(written);
        // The cast is safe because the last event contains the complete response.
        const complete = framesOf(written).at(-1)?.['response'] as SdkResponse;
        expect(final.output.map(({ id }) => id)).toEqual(complete.output.map(({ id }) => id));
      }),
      { numRuns: 40 },
    );
  });
});
