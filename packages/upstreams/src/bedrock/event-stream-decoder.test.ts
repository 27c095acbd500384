import { EventStreamCodec } from '@smithy/core/event-streams';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventStreamDecoder, type EventStreamMessage } from './event-stream-decoder.ts';

// AWS's own encoder, as independent code.
const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
);

interface Sent {
  headers: Record<string, string>;
  payload: Uint8Array;
}

function encode({ headers, payload }: Sent): Uint8Array {
  const typed = Object.entries(headers).map(([name, value]) => [name, { type: 'string', value } as const]);
  return codec.encode({ headers: Object.fromEntries(typed), body: payload });
}

function decode(stream: Uint8Array, lengths: readonly number[] = []): EventStreamMessage[] {
  const decoder = new EventStreamDecoder();
  const messages: EventStreamMessage[] = [];
  let from = 0;
  for (const length of [...lengths, stream.length]) {
    if (from >= stream.length) break;
    messages.push(...decoder.push(stream.subarray(from, from + length)));
    from += length;
  }
  expect(decoder.isPending).toBe(false);
  return messages;
}

const message = fc.record({
  headers: fc.dictionary(fc.stringMatching(/^[:a-z-]{1,20}$/), fc.string({ maxLength: 40 }), { maxKeys: 4 }),
  payload: fc.uint8Array({ maxLength: 300 }),
});

describe('EventStreamDecoder', () => {
  it('reads what AWS’s encoder writes, in chunks of any size', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.integer({ min: 1, max: 50 })), (sent, lengths) => {
        const decoded = decode(Buffer.concat(sent.map(encode)), lengths);
        expect(decoded.map(({ headers, payload }) => ({ headers: { ...headers }, payload: [...payload] }))).toEqual(
          sent.map(({ headers, payload }) => ({ headers: { ...headers }, payload: [...payload] })),
        );
      }),
    );
  });

  it('skips headers of other types', () => {
    const headers = {
      a: { type: 'boolean', value: true },
      b: { type: 'byte', value: 1 },
      c: { type: 'short', value: 1 },
      d: { type: 'integer', value: 1 },
      e: { type: 'binary', value: Buffer.from('xyz') },
      f: { type: 'timestamp', value: new Date(0) },
      g: { type: 'uuid', value: '00000000-0000-4000-8000-000000000000' },
      h: { type: 'boolean', value: false },
      i: { type: 'string', value: 'last' },
    } as const;
    const [decoded] = decode(codec.encode({ headers, body: new Uint8Array() }));
    expect({ ...decoded?.headers }).toEqual({ i: 'last' });
  });

  it('rejects a message with any changed byte, and never throws another error', () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.integer({ min: 1, max: 255 }), (sent, place, change) => {
        const bytes = Buffer.from(encode(sent));
        const at = place % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ change;
        expect(() => decode(bytes)).toThrow(expect.objectContaining({ name: 'EventStreamError' }));
      }),
    );
  });

  it('never throws another error for random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 100 }), (bytes) => {
        try {
          new EventStreamDecoder().push(bytes);
        } catch (error) {
          expect(error).toMatchObject({ name: 'EventStreamError' });
        }
      }),
    );
  });

  it('rejects a long message by its first 12 bytes, before it buffers anything', () => {
    const huge = Buffer.from(encode({ headers: {}, payload: Buffer.alloc(16 * 1024 * 1024) }));
    expect(() => new EventStreamDecoder().push(huge.subarray(0, 12))).toThrow('message too long');
  });

  it('is pending inside a message', () => {
    const decoder = new EventStreamDecoder();
    const bytes = encode({ headers: { a: 'b' }, payload: Buffer.from('{}') });
    decoder.push(bytes.subarray(0, -1));
    expect(decoder.isPending).toBe(true);
    expect(decoder.push(bytes.subarray(-1))).toHaveLength(1);
    expect(decoder.isPending).toBe(false);
  });
});
