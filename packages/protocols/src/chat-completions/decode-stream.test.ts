import type { StreamEvent } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser, sseData, type SseFrame } from '../sse.ts';
import type { UpstreamAnswerContext } from '../text-protocol.ts';
import { decodeStream } from './decode-stream.ts';

function context(): UpstreamAnswerContext {
  let made = 0;
  return {
    target: { upstream: 'u', account: 'acc', protocol: 'chat-completions', model: 'm', quirks: {} },
    newId: (prefix) => `${prefix}${made++}`,
  };
}

/** Feeds bytes in pieces of a size, through the parser that runs in production. */
function decodeBytes(bytes: Uint8Array, size: number): StreamEvent[] {
  const parser = createSseParser();
  const decoder = decodeStream(context());
  const events: StreamEvent[] = [];
  const take = (frames: SseFrame[]) => frames.forEach((frame) => events.push(...decoder.push(frame)));
  for (let at = 0; at < bytes.length; at += size) take(parser.push(bytes.subarray(at, at + size)));
  take(parser.end());
  events.push(...decoder.end());
  return events;
}

const chunkOf = (...choices: object[]) => ({
  id: 'chatcmpl-1',
  model: 'm-1',
  object: 'chat.completion.chunk',
  choices,
});
const delta = (fields: object, index = 0) => chunkOf({ index, delta: fields, finish_reason: null });
const finish = (reason: string, index = 0) => chunkOf({ index, delta: {}, finish_reason: reason });
const callPiece = (index: number, fields: object) => delta({ tool_calls: [{ index, ...fields }] });
const begin = (index: number, id: string, name: string, text = '') =>
  callPiece(index, { id, type: 'function', function: { name, arguments: text } });
const more = (index: number, text: string) => callPiece(index, { function: { arguments: text } });

function decode(...chunks: object[]): StreamEvent[] {
  const text = `${chunks.map((chunk) => sseData(chunk)).join('')}data: [DONE]\n\n`;
  const events = decodeBytes(new TextEncoder().encode(text), 1e6);
  expect(disorder(events)).toBeUndefined();
  return events;
}

function decodeCut(...chunks: object[]): StreamEvent[] {
  const events = decodeBytes(new TextEncoder().encode(chunks.map((chunk) => sseData(chunk)).join('')), 1e6);
  expect(disorder(events)).toBeUndefined();
  return events;
}

/** What breaks the order that `StreamEvent` promises; undefined when nothing does. */
function disorder(events: readonly StreamEvent[]): string | undefined {
  const open = new Map<number, { type: string; text: string }>();
  const finished = new Set<number>();
  let phase: 'before' | 'running' | 'usage' | 'over' = 'before';
  for (const [at, event] of events.entries()) {
    const wrong = (why: string) => `event ${at} (${event.type}): ${why}`;
    if (phase === 'over') return wrong('after the end');
    if (event.type === 'ping') continue;
    if (event.type === 'error') {
      phase = 'over';
      continue;
    }
    if ((event.type === 'start') !== (phase === 'before')) return wrong('start must be first, and once');
    if (phase === 'usage' && event.type !== 'end') return wrong('only the end follows usage');
    switch (event.type) {
      case 'start':
        phase = 'running';
        break;
      case 'block-start':
        if (open.has(event.choice)) return wrong('another block is open');
        if (finished.size > 0) return wrong('a choice has finished');
        open.set(event.choice, { type: event.head.type, text: '' });
        break;
      case 'delta': {
        const block = open.get(event.choice);
        if (!block) return wrong('no block is open');
        block.text += event.text;
        break;
      }
      case 'block-end': {
        const block = open.get(event.choice);
        if (block?.type !== event.block.type) return wrong('another block is open');
        if (block.text !== textIn(event) && block.type !== 'media') return wrong('the deltas do not add up');
        open.delete(event.choice);
        break;
      }
      case 'finish':
        if (open.size > 0) return wrong('a block is open');
        if (finished.has(event.choice)) return wrong('finished twice');
        finished.add(event.choice);
        break;
      case 'usage':
        phase = 'usage';
        break;
      case 'end':
        if (finished.size === 0) return wrong('nothing has finished');
        phase = 'over';
        break;
    }
  }
  return phase === 'over' ? undefined : 'no end';
}

function textIn({ block }: StreamEvent & { type: 'block-end' }): string {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return block.text;
    case 'reasoning':
      return block.text.join('');
    case 'tool-call':
      return block.arguments;
    case 'media':
    case 'foreign':
    case 'tool-result':
      return '';
  }
}

const blocks = (events: StreamEvent[]) => events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []));
const call = (callId: string, name: string, text: string) => ({
  type: 'tool-call',
  callId,
  name,
  kind: 'function',
  arguments: text,
});
const last = (events: StreamEvent[]) => events.at(-1);

describe('decoding a chat stream', () => {
  it('passes text on as it comes, between start and finish', () => {
    expect(
      decode(
        delta({ role: 'assistant', content: '' }),
        delta({ content: 'He' }),
        delta({ content: 'llo' }),
        finish('stop'),
      ),
    ).toEqual([
      { type: 'start', id: 'chatcmpl-1', model: 'm-1' },
      { type: 'block-start', choice: 0, head: { type: 'text' } },
      { type: 'delta', choice: 0, text: 'He' },
      { type: 'delta', choice: 0, text: 'llo' },
      { type: 'block-end', choice: 0, block: { type: 'text', text: 'Hello' } },
      { type: 'finish', choice: 0, finish: 'stop' },
      { type: 'end' },
    ]);
  });

  it.each(['reasoning_content', 'reasoning'])('ends the reasoning in %s where the text begins', (field) => {
    const events = decode(delta({ role: 'assistant', [field]: 'A' }), delta({ content: 'B' }), finish('stop'));
    expect(blocks(events)).toEqual([
      { type: 'reasoning', text: ['A'], isSummary: false },
      { type: 'text', text: 'B' },
    ]);
  });

  it('reads reasoning that comes as parts of the content', () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'A' }] },
      { type: 'text', text: 'B' },
    ];
    expect(blocks(decode(delta({ content: parts }), finish('stop'))).map(({ type }) => type)).toEqual([
      'reasoning',
      'text',
    ]);
  });

  it('takes an empty list of tool calls for nothing', () => {
    expect(blocks(decode(delta({ content: 'Hi', tool_calls: [] }), finish('stop')))).toEqual([
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('keeps arguments that come in the chunk that ends the text', () => {
    const events = decode(delta({ content: 'x' }), begin(0, 'c1', 'Bash', '{"command":"ls"}'), finish('tool_calls'));
    expect(blocks(events)).toEqual([{ type: 'text', text: 'x' }, call('c1', 'Bash', '{"command":"ls"}')]);
  });

  it('makes no empty text block when the first thing is a tool call', () => {
    const events = decode(delta({ role: 'assistant', content: null }), begin(0, 'c1', 'f', '{}'), finish('tool_calls'));
    expect(events[1]).toEqual({
      type: 'block-start',
      choice: 0,
      head: { type: 'tool-call', callId: 'c1', name: 'f', kind: 'function' },
    });
  });

  it('holds a second call back until the first is whole, and sends calls that come in turn at once', () => {
    const events = decode(
      begin(0, 'a', 'f'),
      begin(1, 'b', 'g'),
      more(1, '{"y":'),
      more(0, '{"x":'),
      more(0, '1}'),
      more(1, '2}'),
      finish('tool_calls'),
    );
    expect(blocks(events)).toEqual([call('a', 'f', '{"x":1}'), call('b', 'g', '{"y":2}')]);

    const inTurn = [begin(0, 'a', 'f'), more(0, '{}'), begin(1, 'b', 'g')];
    const decoder = decodeStream(context());
    const early = inTurn.flatMap((chunk) => decoder.push({ data: JSON.stringify(chunk) }));
    expect(early.filter(({ type }) => type === 'block-start')).toHaveLength(2);
  });

  it('keeps calls apart that a vendor numbers 0 or not at all', () => {
    const expected = [call('a', 'f', '{"x":1}'), call('b', 'f', '{"y":2}')];
    const same = [begin(0, 'a', 'f', '{"x":1}'), begin(0, 'b', 'f', '{"y":2}')];
    expect(blocks(decode(...same, finish('stop')))).toEqual(expected);
    const none = ['a', 'b'].map((id, at) =>
      delta({ tool_calls: [{ id, function: { name: 'f', arguments: expected[at]?.arguments } }] }),
    );
    expect(blocks(decode(...none, finish('stop')))).toEqual(expected);
    const nameless = same.map((chunk) => JSON.parse(JSON.stringify(chunk).replace(/"id":"[ab]",/, '')) as object); // JSON of an object
    expect(blocks(decode(...nameless, finish('stop')))).toMatchObject([
      { arguments: '{"x":1}' },
      { arguments: '{"y":2}' },
    ]);
  });

  it('waits for the name of a call, takes a repeated one once, and makes up a missing id', () => {
    const events = decode(
      callPiece(0, { id: 'a', function: { arguments: '' } }),
      callPiece(0, { function: { name: 'f', arguments: '{' } }),
      callPiece(0, { id: 'a', function: { name: 'f', arguments: '}' } }),
      finish('tool_calls'),
    );
    expect(blocks(events)).toEqual([call('a', 'f', '{}')]);
    expect(blocks(decode(callPiece(0, { function: { name: 'f', arguments: '{}' } }), finish('stop')))).toEqual([
      call('call_0', 'f', '{}'),
    ]);
    expect(last(decode(callPiece(0, { id: 'a', function: { arguments: '{}' } }), finish('stop')))).toMatchObject({
      type: 'error',
    });
  });

  it('holds text back that comes inside an unfinished call', () => {
    const events = decode(begin(0, 'a', 'f', '{"x":'), delta({ content: 'hm' }), more(0, '1}'), finish('tool_calls'));
    expect(blocks(events)).toEqual([call('a', 'f', '{"x":1}'), { type: 'text', text: 'hm' }]);
  });

  it('says tool_calls whenever a tool was called, and never without', () => {
    expect(decode(begin(0, 'a', 'f', '{}'), delta({ content: '' }), finish('stop'))).toContainEqual({
      type: 'finish',
      choice: 0,
      finish: 'tool_calls',
    });
    expect(decode(delta({ content: 'a' }), finish('tool_calls'))).toContainEqual({
      type: 'finish',
      choice: 0,
      finish: 'stop',
    });
  });

  it('reads function_call, custom calls, refusals, pictures, sound and sources', () => {
    expect(
      blocks(
        decode(
          delta({ function_call: { name: 'f', arguments: '' } }),
          delta({ function_call: { arguments: '{}' } }),
          finish('function_call'),
        ),
      ),
    ).toEqual([call('call_0', 'f', '{}')]);
    expect(
      blocks(
        decode(
          callPiece(0, { id: 'a', type: 'custom', custom: { name: 'exec', input: 'l' } }),
          callPiece(0, { custom: { input: 's' } }),
          finish('tool_calls'),
        ),
      ),
    ).toEqual([{ type: 'tool-call', callId: 'a', name: 'exec', kind: 'custom', arguments: 'ls' }]);
    const refused = decode(delta({ refusal: 'no' }), finish('stop'));
    expect(refused).toContainEqual({ type: 'finish', choice: 0, finish: 'refusal' });
    const media = decode(
      delta({
        images: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          { image_url: 'broken' },
        ],
      }),
      delta({ audio: { id: 'a', data: Buffer.from([1]).toString('base64'), transcript: 'h' } }),
      delta({ audio: { data: Buffer.from([2, 3]).toString('base64'), transcript: 'i' } }),
      finish('stop'),
    );
    expect(blocks(media)).toEqual([
      { type: 'media', kind: 'image', source: { from: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } },
      {
        type: 'media',
        kind: 'audio',
        transcript: 'hi',
        source: { from: 'base64', mediaType: 'audio/pcm', data: 'AQID' },
      },
    ]);
    const cited = { url_citation: { url: 'https://x.test', title: 't', start_index: 0, end_index: 1 } };
    expect(blocks(decode(delta({ content: 'a' }), delta({ annotations: [cited] }), finish('stop')))).toEqual([
      { type: 'text', text: 'a', citations: [{ url: 'https://x.test', title: 't', start: 0, end: 1 }] },
    ]);
  });

  it('marks seals with whose they are', () => {
    const extra = { extra_content: { google: { thought_signature: 's' } } };
    const seal = { protocol: 'chat-completions', account: 'acc', model: 'm', value: 's' };
    const events = decode(
      callPiece(0, { id: 'a', function: { name: 'f', arguments: '{}' }, ...extra }),
      finish('stop'),
    );
    expect(blocks(events)).toEqual([{ ...call('a', 'f', '{}'), seal }]);
    expect(blocks(decode(delta({ content: 'a' }), delta(extra), finish('stop')))).toEqual([
      { type: 'text', text: 'a', seal },
    ]);
  });

  it('merges usage of the finish chunk, of a later one and of a choice', () => {
    const early = { ...finish('stop'), usage: { prompt_tokens: 100, completion_tokens: 5 } };
    const late = {
      ...chunkOf(),
      usage: { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 80 } },
    };
    const usage = { inputTokens: 100, outputTokens: 5, cachedTokens: 80 };
    expect(decode(delta({ content: 'a' }), early, late, { ...chunkOf(), usage: null }).at(-2)).toEqual({
      type: 'usage',
      usage,
    });
    const inside = chunkOf({
      index: 0,
      delta: {},
      finish_reason: 'stop',
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    });
    expect(decode(inside).at(-2)).toEqual({ type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } });
  });

  it('keeps choices apart by index and finishes each, in order', () => {
    const events = decode(
      delta({ content: 'b' }, 1),
      delta({ content: 'a' }, 0),
      delta({ content: 'B' }, 1),
      finish('length', 1),
      finish('stop', 0),
    );
    expect(events.filter(({ type }) => type === 'finish')).toEqual([
      { type: 'finish', choice: 0, finish: 'stop' },
      { type: 'finish', choice: 1, finish: 'length' },
    ]);
    expect(blocks(events).map((block) => block.type === 'text' && block.text)).toEqual(['a', 'bB']);
  });

  it('tells which text was met, where the vendor does', () => {
    const met = chunkOf({ index: 0, delta: {}, finish_reason: 'stop', stop_reason: 'END' });
    expect(decode(met)).toContainEqual({ type: 'finish', choice: 0, finish: 'stop_sequence', stopSequence: 'END' });
  });

  it('does not begin with a chunk that has neither choices nor an id', () => {
    const events = decode(
      { id: '', model: '', choices: [], prompt_filter_results: [] },
      delta({ content: 'a' }),
      finish('stop'),
    );
    expect(events[0]).toEqual({ type: 'start', id: 'chatcmpl-1', model: 'm-1' });
  });

  it.each([
    ['in a chunk without choices', { choices: [], error: { message: 'busy', code: 502 } }, 'provider_error'],
    ['alone', { error: { message: 'slow', code: 429 } }, 'rate_limited'],
    ['beside a finish', { ...finish('error'), error: { message: 'x', code: 503 } }, 'provider_overloaded'],
  ])('ends with an error that comes %s', (_where, chunk, code) => {
    const events = decode(delta({ content: 'a' }), chunk, delta({ content: 'b' }));
    expect(last(events)).toMatchObject({ type: 'error', error: { code } });
    expect(events.some(({ type }) => type === 'finish' || type === 'end')).toBe(false);
  });

  it('never makes up a finish for a stream that breaks off', () => {
    for (const events of [decodeCut(delta({ content: 'a' })), decode(delta({ content: 'a' })), decodeCut(), decode()]) {
      expect(last(events)).toMatchObject({ type: 'error', error: { code: 'provider_error' } });
      expect(events.some(({ type }) => type === 'finish')).toBe(false);
    }
    const oneOfTwo = decodeCut(delta({ content: 'a' }, 0), delta({ content: 'b' }, 1), finish('stop', 0));
    expect(last(oneOfTwo)).toMatchObject({ type: 'error' });
  });

  it('counts a stream as whole that has finished and forgets [DONE]', () => {
    expect(last(decodeCut(delta({ content: 'a' }), finish('stop')))).toEqual({ type: 'end' });
  });

  it('turns what is no JSON into an error, once', () => {
    const decoder = decodeStream(context());
    expect(decoder.push({ data: '{"choices":' })).toMatchObject([{ type: 'error', error: { code: 'provider_error' } }]);
    expect([...decoder.push({ data: '{}' }), ...decoder.end()]).toEqual([]);
  });
});

const piece = fc.oneof(
  fc.record({ content: fc.string({ unit: 'grapheme' }) }),
  fc.record({ reasoning_content: fc.string({ unit: 'grapheme' }) }),
  fc.record({ refusal: fc.string() }),
  fc.constant({ tool_calls: [] }),
  fc.record({
    tool_calls: fc.array(
      fc.record({
        index: fc.integer({ min: 0, max: 2 }),
        id: fc.constantFrom('a', 'b', undefined),
        function: fc.record({
          name: fc.constantFrom('f', 'g', undefined),
          arguments: fc.constantFrom('', '{}', '{"a":', '"é"}', '1}'),
        }),
      }),
      { maxLength: 2 },
    ),
  }),
);
const anyChunk = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(piece, fc.integer({ min: 0, max: 1 })).map(([fields, index]) => delta(fields, index)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('stop', 'tool_calls', 'length'), fc.integer({ min: 0, max: 1 }))
      .map(([reason, index]) => finish(reason, index)),
  },
  { weight: 1, arbitrary: fc.anything().map((value) => ({ choices: [{ index: 0, delta: value }] })) },
);

describe('whatever an upstream sends', () => {
  it('comes out in the promised order, the deltas adding up to the blocks', () => {
    fc.assert(
      fc.property(fc.array(anyChunk, { maxLength: 12 }), fc.boolean(), (chunks, isWhole) => {
        const all = isWhole ? [...chunks, finish('stop', 0), finish('stop', 1)] : chunks;
        const decoder = decodeStream(context());
        const events = all.flatMap((chunk) => decoder.push({ data: JSON.stringify(chunk) }));
        events.push(...decoder.end());
        expect(disorder(events)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('does not depend on where the bytes were cut', () => {
    const recorded = [
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'Überlegung 你' }),
      delta({ content: '你好 👩‍👩‍👧' }),
      begin(0, 'a', 'f', '{"ä":'),
      begin(1, 'b', 'g', '{"s":"👋"}'),
      more(0, '"ö"}'),
      finish('tool_calls'),
      { ...chunkOf(), usage: { prompt_tokens: 3, completion_tokens: 4 } },
    ];
    const frames = recorded
      .map((chunk, at) => sseData(chunk).replaceAll('\n', at % 2 === 0 ? '\r\n' : '\n'))
      .join(': ka\n\n');
    const bytes = new TextEncoder().encode(`\uFEFF${frames}data:[DONE]`);
    const whole = decodeBytes(bytes, bytes.length);
    expect(disorder(whole)).toBeUndefined();
    expect(blocks(whole)).toHaveLength(4);
    for (const size of [1, 3, 7]) expect(decodeBytes(bytes, size)).toEqual(whole);
  });
});
