import { describe, expect, it } from 'vitest';
import {
  START,
  ENDING,
  wire,
  decode,
  block,
  blocksOf,
  expectWellFormed,
} from '../../../test/streams/decoded-messages-stream.ts';

describe('decodeStream', () => {
  it.each([
    ['overloaded_error', 'provider_overloaded'],
    ['rate_limit_error', 'rate_limited'],
    ['api_error', 'provider_error'],
  ])("ends with the vendor's %s as %s, and nothing after it", (type, code) => {
    const events = decode(
      wire([START, { type: 'error', error: { type, message: 'Busy' } } as { type: string }, ...ENDING]),
    );
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code, message: 'Busy' } });
    expectWellFormed(events);
  });

  it('ends a truncated stream with an error, never with a finish', () => {
    const events = decode(wire([START, ...block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'a' }])]));
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider_error' } });
    expect(events.filter(({ type }) => type === 'finish')).toEqual([]);
    expect(decode(new Uint8Array())).toMatchObject([{ type: 'error' }]);
  });

  it('treats a stream as complete after its stop reason', () => {
    const events = decode(wire([START, ...ENDING.slice(0, 1)]));
    expect(events.map(({ type }) => type)).toEqual(['start', 'finish', 'usage', 'end']);
  });

  it.each(['{"type":', '[]', 'hello'])('ends with an error on a frame that holds %s', (data) => {
    const events = decode(new TextEncoder().encode(`data: ${data}\n\n`));
    expect(events).toMatchObject([{ type: 'error', error: { code: 'provider_error' } }]);
  });

  it('ends with an error on a delta of a block that is not open', () => {
    const unknownBlockDelta = { type: 'content_block_delta', index: 3, delta: { type: 'text_delta', text: 'x' } };
    const open = block(0, { type: 'text', text: '' }, []).slice(0, 1);
    for (const events of [
      decode(wire([START, unknownBlockDelta, ...ENDING])),
      decode(wire([START, ...open, unknownBlockDelta, ...ENDING])),
    ]) {
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider_error' } });
    }
  });

  it('closes a block that the upstream did not close', () => {
    const events = decode(wire([START, ...block(0, { type: 'text', text: 'a' }, []).slice(0, 1), ...ENDING]));
    expect(blocksOf(events)).toEqual([{ type: 'text', text: 'a' }]);
    expectWellFormed(events);
  });
});
