import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sseData } from '../../stream/sse.ts';
import { decodeStream } from './decode-stream.ts';
import {
  context,
  decodeBytes,
  chunkOf,
  delta,
  finish,
  begin,
  more,
  disorder,
  blocks,
} from '../../../test/streams/decoded-chat-stream.ts';

const part = fc.oneof(
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
    arbitrary: fc.tuple(part, fc.integer({ min: 0, max: 1 })).map(([fields, index]) => delta(fields, index)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('stop', 'tool_calls', 'length'), fc.integer({ min: 0, max: 1 }))
      .map(([reason, index]) => finish(reason, index)),
  },
  { weight: 1, arbitrary: fc.anything().map((value) => ({ choices: [{ index: 0, delta: value }] })) },
);

describe('decodeStream on arbitrary input', () => {
  it('produces ordered events whose deltas add up to the blocks', () => {
    fc.assert(
      fc.property(fc.array(anyChunk, { maxLength: 12 }), fc.boolean(), (chunks, isComplete) => {
        const all = isComplete ? [...chunks, finish('stop', 0), finish('stop', 1)] : chunks;
        const decoder = decodeStream(context());
        const events = all.flatMap((chunk) => decoder.push({ data: JSON.stringify(chunk) }));
        events.push(...decoder.end());
        expect(disorder(events)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('does not depend on chunk boundaries', () => {
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
    const events = decodeBytes(bytes, bytes.length);
    expect(disorder(events)).toBeUndefined();
    expect(blocks(events)).toHaveLength(4);
    for (const size of [1, 3, 7]) expect(decodeBytes(bytes, size)).toEqual(events);
  });
});
