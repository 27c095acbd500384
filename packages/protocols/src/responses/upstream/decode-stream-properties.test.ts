import type { ContentBlock, StreamEvent } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { createSseParser } from '../../stream/sse.ts';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { completeBlockEvents } from '../../text/block-queue.ts';
import { decodeStream } from './decode-stream.ts';
import { encodeStream } from '../client/encode-stream.ts';
import { source, decodeBytes, blocksOf, expectWellFormed } from '../../../test/streams/decoded-responses-stream.ts';

describe('decodeStream on arbitrary output', () => {
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
  const context: ResponseContext = {
    request: { protocol: 'responses', model: 'm', stream: true, messages: [], tools: [] },
    body: {},
    responseId: 'resp_1',
    createdAt: 1,
    newId: (prefix) => `${prefix}0`,
    tokenCodec: createTokenCodec('s'),
  };
  function written(blocks: readonly ContentBlock[]): string {
    const encoder = encodeStream(context);
    const events: StreamEvent[] = [
      { type: 'start', id: 'x', model: 'y' },
      ...blocks.flatMap(completeBlockEvents),
      { type: 'finish', choice: 0, finish: 'stop' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
      { type: 'end' },
    ];
    return events.map((event) => encoder.push(event)).join('');
  }

  it('returns the same events, independent of chunk boundaries', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        const bytes = Buffer.from(written(blocks));
        const complete = decodeBytes(bytes);
        for (const size of [1, 3, 7]) expect(decodeBytes(bytes, size)).toEqual(complete);
      }),
      { numRuns: 30 },
    );
  });

  it('returns the written blocks in order', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
        const events = decodeBytes(Buffer.from(written(blocks)));
        expectWellFormed(events);
        expect(blocksOf(events).map(({ type }) => type)).toEqual(blocks.map(({ type }) => type));
        for (const [index, one] of blocksOf(events).entries()) expect(one).toMatchObject({ ...blocks[index] });
      }),
    );
  });

  it('preserves the order for any omission of the upstream', () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 4 }),
        fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
        (blocks, isSent) => {
          const decoder = decodeStream(source);
          const parser = createSseParser();
          const frames = parser.push(Buffer.from(written(blocks)));
          const events = frames
            .filter((_frame, index) => isSent[index] ?? true)
            .flatMap((frame) => decoder.push(frame));
          expectWellFormed([...events, ...decoder.end()]);
        },
      ),
    );
  });
});
