import type { ContentBlock, StreamEvent, TextTarget } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSealer } from '../sealer.ts';
import { createSseParser, sseEvent } from '../sse.ts';
import type { AnswerContext } from '../text-protocol.ts';
import { wholeBlockEvents } from './block-row.ts';
import { decodeStream } from './decode-stream.ts';
import { encodeStream } from './encode-stream.ts';
import type { Fields } from './wire-value.ts';

const target: TextTarget = { upstream: 'openai', account: 'acct', protocol: 'responses', model: 'gpt-5', quirks: {} };
const source = { target, newId: (prefix: string) => `${prefix}new` };

function decodeBytes(bytes: Uint8Array, size = bytes.length): StreamEvent[] {
  const parser = createSseParser();
  const decoder = decodeStream(source);
  const events: StreamEvent[] = [];
  for (let at = 0; at < bytes.length; at += Math.max(1, size)) {
    for (const frame of parser.push(bytes.subarray(at, at + size))) events.push(...decoder.push(frame));
  }
  for (const frame of parser.end()) events.push(...decoder.push(frame));
  return [...events, ...decoder.end()];
}

/** Reads events as an upstream would send them. */
function decode(...frames: (Fields & { type: string })[]): StreamEvent[] {
  return decodeBytes(Buffer.from(frames.map((frame) => sseEvent(frame.type, frame)).join('')));
}

const created = { type: 'response.created', response: { id: 'resp_1', model: 'gpt-5-2025', status: 'in_progress' } };
const usage = { input_tokens: 10, output_tokens: 4, input_tokens_details: { cached_tokens: 8 } };
const completed = { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [], usage } };
const added = (output_index: number, item: Fields) => ({ type: 'response.output_item.added', output_index, item });
const done = (output_index: number, item: Fields) => ({ type: 'response.output_item.done', output_index, item });
const textDelta = (output_index: number, delta: string, content_index = 0) => ({
  type: 'response.output_text.delta',
  output_index,
  content_index,
  delta,
});
const message = (...content: Fields[]) => ({ type: 'message', id: 'msg_1', role: 'assistant', content });
const fn = (args: string) => ({ type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: args });

function blocksOf(events: readonly StreamEvent[]): ContentBlock[] {
  return events.flatMap((event) => (event.type === 'block-end' ? event.block : []));
}

/** Checks the order that StreamEvent promises, and that deltas add up to their block. */
function expectWellFormed(events: readonly StreamEvent[]): void {
  const [first] = events;
  if (first?.type === 'error') return expect(events).toHaveLength(1);
  expect(first?.type).toBe('start');
  let open: { head: string; text: string; paragraphs: string[] } | undefined;
  let isFinished = false;
  let isOver = false;
  for (const event of events.slice(1)) {
    expect(isOver).toBe(false);
    switch (event.type) {
      case 'block-start':
        expect(open).toBeUndefined();
        expect(isFinished).toBe(false);
        open = { head: event.head.type, text: '', paragraphs: [] };
        break;
      case 'delta': {
        if (!open) throw new Error('a delta without a block');
        const paragraph = event.paragraph ?? 0;
        open.text += event.text;
        open.paragraphs[paragraph] = (open.paragraphs[paragraph] ?? '') + event.text;
        break;
      }
      case 'block-end':
        expect(open?.head).toBe(event.block.type);
        if (event.block.type === 'reasoning') expect(open?.paragraphs).toEqual(event.block.text);
        else if (event.block.type === 'tool-call') expect(open?.text).toBe(event.block.arguments);
        else if ('text' in event.block) expect(open?.text).toBe(event.block.text);
        open = undefined;
        break;
      case 'finish':
        expect(open).toBeUndefined();
        expect(isFinished).toBe(false);
        isFinished = true;
        break;
      case 'usage':
        expect(isFinished).toBe(true);
        break;
      case 'start':
        throw new Error('a second start');
      case 'ping':
        break;
      case 'error':
        isOver = true;
        break;
      case 'end':
        expect(isFinished).toBe(true);
        isOver = true;
        break;
    }
  }
  expect(isOver).toBe(true);
}

describe('decodeStream', () => {
  it('reads the full ladder', () => {
    const events = decode(
      created,
      { type: 'response.in_progress', response: created.response },
      added(0, { type: 'reasoning', id: 'rs_1', summary: [] }),
      { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 0, part: {} },
      { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'Hm' },
      { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index: 0, text: 'Hm' },
      { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 1, delta: 'So' },
      done(0, {
        type: 'reasoning',
        id: 'rs_1',
        summary: [
          { type: 'summary_text', text: 'Hm' },
          { type: 'summary_text', text: 'So' },
        ],
        encrypted_content: 'b3BhcXVl',
      }),
      added(1, message()),
      {
        type: 'response.content_part.added',
        output_index: 1,
        content_index: 0,
        part: { type: 'output_text', text: '' },
      },
      textDelta(1, 'Hel'),
      textDelta(1, 'lo'),
      { type: 'response.output_text.done', output_index: 1, content_index: 0, text: 'Hello' },
      {
        type: 'response.content_part.done',
        output_index: 1,
        content_index: 0,
        part: { type: 'output_text', text: 'Hello' },
      },
      done(1, message({ type: 'output_text', text: 'Hello' })),
      added(2, fn('')),
      { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"a":' },
      { type: 'response.function_call_arguments.delta', output_index: 2, delta: '5}' },
      { type: 'response.function_call_arguments.done', output_index: 2, arguments: '{"a":5}' },
      done(2, fn('{"a":5}')),
      completed,
    );
    expect(events).toEqual([
      { type: 'start', id: 'resp_1', model: 'gpt-5-2025' },
      { type: 'block-start', choice: 0, head: { type: 'reasoning', isSummary: true, id: 'rs_1' } },
      { type: 'delta', choice: 0, text: 'Hm', paragraph: 0 },
      { type: 'delta', choice: 0, text: 'So', paragraph: 1 },
      {
        type: 'block-end',
        choice: 0,
        block: {
          type: 'reasoning',
          text: ['Hm', 'So'],
          isSummary: true,
          id: 'rs_1',
          seal: { protocol: 'responses', account: 'acct', model: 'gpt-5', value: 'b3BhcXVl' },
        },
      },
      { type: 'block-start', choice: 0, head: { type: 'text' } },
      { type: 'delta', choice: 0, text: 'Hel' },
      { type: 'delta', choice: 0, text: 'lo' },
      { type: 'block-end', choice: 0, block: { type: 'text', text: 'Hello' } },
      { type: 'block-start', choice: 0, head: { type: 'tool-call', callId: 'call_1', name: 'f', kind: 'function' } },
      { type: 'delta', choice: 0, text: '{"a":' },
      { type: 'delta', choice: 0, text: '5}' },
      {
        type: 'block-end',
        choice: 0,
        block: { type: 'tool-call', callId: 'call_1', name: 'f', kind: 'function', arguments: '{"a":5}' },
      },
      { type: 'finish', choice: 0, finish: 'tool_calls' },
      { type: 'usage', usage: { inputTokens: 10, outputTokens: 4, cachedTokens: 8 } },
      { type: 'end' },
    ]);
  });

  it('passes each delta on at once', () => {
    const decoder = decodeStream(source);
    decoder.push({ data: JSON.stringify(created) });
    decoder.push({ data: JSON.stringify(added(0, message())) });
    expect(decoder.push({ data: JSON.stringify(textDelta(0, 'a')) })).toHaveLength(2);
    expect(decoder.push({ data: JSON.stringify(textDelta(0, 'b')) })).toEqual([
      { type: 'delta', choice: 0, text: 'b' },
    ]);
  });

  it('takes arguments that come only in .done, once', () => {
    const events = decode(
      created,
      added(0, fn('')),
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"a":5}' },
      done(0, fn('{"a":5}')),
      completed,
    );
    expect(blocksOf(events)).toMatchObject([{ arguments: '{"a":5}' }]);
    expect(events.filter(({ type }) => type === 'delta')).toHaveLength(1);
  });

  it('takes items that come only in output_item.done', () => {
    const events = decode(created, done(0, message({ type: 'output_text', text: 'Hi' })), done(1, fn('{}')), completed);
    expectWellFormed(events);
    expect(blocksOf(events).map(({ type }) => type)).toEqual(['text', 'tool-call']);
  });

  it('takes items that come only in the whole answer', () => {
    const output = [message({ type: 'output_text', text: 'Hi' }), fn('{}')];
    const events = decode(created, { type: 'response.completed', response: { ...completed.response, output } });
    expectWellFormed(events);
    expect(blocksOf(events)).toHaveLength(2);
  });

  it('does not tell an item twice that was streamed and stands in the whole answer', () => {
    const item = message({ type: 'output_text', text: 'Hi' });
    const output = [{ ...item, id: 'msg_other' }];
    const events = decode(created, added(0, item), textDelta(0, 'Hi'), done(0, item), {
      type: 'response.completed',
      response: { ...completed.response, output },
    });
    expect(blocksOf(events)).toEqual([{ type: 'text', text: 'Hi' }]);
  });

  it('keeps what was streamed when the whole answer has an empty output', () => {
    expect(blocksOf(decode(created, added(0, message()), textDelta(0, 'Hi'), completed))).toEqual([
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('makes up for deltas that were left out', () => {
    const events = decode(
      created,
      textDelta(0, 'Hel'),
      done(0, message({ type: 'output_text', text: 'Hello' })),
      completed,
    );
    expectWellFormed(events);
    expect(blocksOf(events)).toEqual([{ type: 'text', text: 'Hello' }]);
  });

  it('holds interleaved items back', () => {
    const second = { ...fn('{"b":1}'), id: 'fc_2', call_id: 'call_2' };
    const events = decode(
      created,
      added(0, fn('')),
      added(1, { ...second, arguments: '' }),
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"b":' },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"a":1}' },
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '1}' },
      done(1, second),
      done(0, fn('{"a":1}')),
      completed,
    );
    expectWellFormed(events);
    expect(blocksOf(events)).toMatchObject([{ callId: 'call_1' }, { callId: 'call_2', arguments: '{"b":1}' }]);
  });

  it('reads upstreams that tell items by id alone', () => {
    const events = decode(
      created,
      { type: 'response.output_item.added', item: fn('') },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: '{}' },
      { type: 'response.output_item.done', item: fn('{}') },
      completed,
    );
    expect(blocksOf(events)).toMatchObject([{ callId: 'call_1', arguments: '{}' }]);
  });

  it('reads upstreams that count every item as the first', () => {
    const other = { ...fn('{"b":1}'), id: 'fc_2', call_id: 'call_2' };
    const events = decode(
      created,
      added(0, fn('')),
      done(0, fn('{}')),
      done(0, fn('{}')),
      added(0, other),
      done(0, other),
      {
        type: 'response.completed',
        response: { ...completed.response, output: [fn('{}'), other] },
      },
    );
    expectWellFormed(events);
    expect(blocksOf(events)).toMatchObject([{ callId: 'call_1' }, { callId: 'call_2' }]);
  });

  it('reads thoughts themselves, refusals, custom input, sources and pictures', () => {
    const custom = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'exec', namespace: 'n' };
    const events = decode(
      created,
      { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, item_id: 'rs_1', delta: 'raw' },
      done(0, { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'raw' }] }),
      { type: 'response.refusal.delta', output_index: 1, content_index: 0, delta: 'No' },
      { type: 'response.refusal.done', output_index: 1, content_index: 0, refusal: 'No.' },
      done(1, message({ type: 'refusal', refusal: 'No.' })),
      added(2, { ...custom, input: '' }),
      { type: 'response.custom_tool_call_input.delta', output_index: 2, delta: 'l' },
      { type: 'response.custom_tool_call_input.done', output_index: 2, input: 'ls' },
      done(2, { ...custom, input: 'ls' }),
      textDelta(3, 'See'),
      {
        type: 'response.output_text.annotation.added',
        output_index: 3,
        content_index: 0,
        annotation: { type: 'url_citation', url: 'https://a.example/', title: 'A', start_index: 0, end_index: 3 },
      },
      { type: 'response.output_text.done', output_index: 3, content_index: 0, text: 'See' },
      done(3, { ...message(), id: 'msg_3', content: null }),
      done(4, { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'iVBORw0KGgo=' }),
      done(5, { type: 'web_search_call', id: 'ws_1', status: 'completed' }),
      completed,
    );
    expectWellFormed(events);
    expect(blocksOf(events)).toMatchObject([
      { type: 'reasoning', isSummary: false, text: ['raw'] },
      { type: 'refusal', text: 'No.' },
      { type: 'tool-call', kind: 'custom', name: 'n__exec', arguments: 'ls' },
      { type: 'text', text: 'See', citations: [{ url: 'https://a.example/', title: 'A', start: 0, end: 3 }] },
      { type: 'media', source: { mediaType: 'image/png' } },
      { type: 'foreign', kind: 'web_search_call' },
    ]);
  });

  it('reads a seal without text', () => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
    expect(blocksOf(decode(created, added(0, item), done(0, item), completed))).toMatchObject([
      { type: 'reasoning', text: [], seal: { value: 'x' } },
    ]);
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
    ['steered', 'other'],
  ])('ends an answer that is incomplete for %s as %s, with its usage', (reason, finish) => {
    const events = decode(created, textDelta(0, 'Hel'), {
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason }, output: [], usage },
    });
    expectWellFormed(events);
    expect(events.slice(-3)).toMatchObject([{ finish }, { usage: { inputTokens: 10 } }, { type: 'end' }]);
  });

  it('ends a refusal as one', () => {
    const item = message({ type: 'refusal', refusal: 'No.' });
    expect(decode(created, done(0, item), completed)).toContainEqual({ type: 'finish', choice: 0, finish: 'refusal' });
  });

  it.each([
    ['response.failed', { response: { status: 'failed', error: { code: 'server_error', message: 'boom' } } }],
    ['error', { code: 'server_error', message: 'boom', param: null }],
    ['error', { error: { type: 'server_error', message: 'boom' } }],
  ])('turns %s into an error and nothing else', (type, fields) => {
    const events = decode(created, { type, ...fields }, completed);
    expect(events).toMatchObject([
      { type: 'start' },
      { type: 'error', error: { code: 'provider_error', message: 'boom' } },
    ]);
  });

  it('knows a full context window in a failed answer', () => {
    const error = { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' };
    expect(decode(created, { type: 'response.failed', response: { error } }).at(-1)).toMatchObject({
      error: { code: 'context_length_exceeded', retryable: false },
    });
  });

  it('passes an error on that stands where a chunk was due', () => {
    const events = decodeBytes(Buffer.from('data: {"choices":[],"error":{"message":"busy","code":502}}\n\n'));
    expect(events).toMatchObject([{ type: 'error', error: { code: 'provider_error', message: 'busy' } }]);
  });

  it('never takes a stream that breaks off for a complete one', () => {
    const events = decode(created, textDelta(0, 'Hel'));
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider_error', retryable: true } });
    expect(events.map(({ type }) => type)).not.toContain('finish');
  });

  it('gives up on what is not JSON', () => {
    expect(decodeBytes(Buffer.from('data: <html>\n\n'))).toMatchObject([{ type: 'error' }]);
  });

  it('is over after the answer’s end, whatever follows', () => {
    expect(decode(created, completed, completed, textDelta(0, 'x')).filter(({ type }) => type === 'end')).toHaveLength(
      1,
    );
  });

  it('skips [DONE] and events that it does not know', () => {
    const decoder = decodeStream(source);
    decoder.push({ data: JSON.stringify(created) });
    expect(decoder.push({ data: '[DONE]' })).toEqual([]);
    expect(decoder.push({ data: '{"type":"response.new_thing.delta","delta":"x"}' })).toEqual([]);
  });

  const text = fc.string({ unit: fc.constantFrom('a', '你', '🪁', '\n', '"', 'é'), minLength: 1, maxLength: 8 });
  const block: fc.Arbitrary<ContentBlock> = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text }),
    fc.record({
      type: fc.constant('reasoning' as const),
      text: fc.array(text, { minLength: 1, maxLength: 3 }),
      isSummary: fc.constant(true),
    }),
    fc.record({
      type: fc.constant('tool-call' as const),
      callId: fc.uuid(),
      name: fc.constant('f'),
      kind: fc.constantFrom('function' as const, 'custom' as const),
      arguments: text,
    }),
  );
  const context: AnswerContext = {
    request: { protocol: 'responses', model: 'm', stream: true, messages: [], tools: [] },
    body: {},
    answerId: 'resp_1',
    createdAt: 1,
    newId: (prefix) => `${prefix}0`,
    sealer: createSealer('s'),
  };
  function written(blocks: readonly ContentBlock[]): string {
    const encoder = encodeStream(context);
    const events: StreamEvent[] = [
      { type: 'start', id: 'x', model: 'y' },
      ...blocks.flatMap(wholeBlockEvents),
      { type: 'finish', choice: 0, finish: 'stop' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
      { type: 'end' },
    ];
    return events.map((event) => encoder.push(event)).join('');
  }

  it('gives the same events wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        const bytes = Buffer.from(written(blocks));
        const whole = decodeBytes(bytes);
        for (const size of [1, 3, 7]) expect(decodeBytes(bytes, size)).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });

  it('gives back the blocks that were written, in well-formed order', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
        const events = decodeBytes(Buffer.from(written(blocks)));
        expectWellFormed(events);
        expect(blocksOf(events).map(({ type }) => type)).toEqual(blocks.map(({ type }) => type));
        for (const [index, one] of blocksOf(events).entries()) expect(one).toMatchObject({ ...blocks[index] });
      }),
    );
  });

  it('keeps the order well formed whatever an upstream leaves out', () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 4 }),
        fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
        (blocks, kept) => {
          const decoder = decodeStream(source);
          const parser = createSseParser();
          const frames = parser.push(Buffer.from(written(blocks)));
          const events = frames.filter((_frame, index) => kept[index] ?? true).flatMap((frame) => decoder.push(frame));
          expectWellFormed([...events, ...decoder.end()]);
        },
      ),
    );
  });
});
