import { describe, expect, it } from 'vitest';
import { decodeStream } from './decode-stream.ts';
import { context, delta, finish, decode, decodeCut, last } from '../../../test/streams/decoded-chat-stream.ts';

describe('decodeStream', () => {
  it.each([
    ['in a chunk without choices', { choices: [], error: { message: 'busy', code: 502 } }, 'provider_error'],
    ['alone', { error: { message: 'slow', code: 429 } }, 'rate_limited'],
    ['next to a finish reason', { ...finish('error'), error: { message: 'x', code: 503 } }, 'provider_overloaded'],
  ])('ends with an error %s', (_title, chunk, code) => {
    const events = decode(delta({ content: 'a' }), chunk, delta({ content: 'b' }));
    expect(last(events)).toMatchObject({ type: 'error', error: { code } });
    expect(events.some(({ type }) => type === 'finish' || type === 'end')).toBe(false);
  });

  it('never finishes a truncated stream', () => {
    for (const events of [decodeCut(delta({ content: 'a' })), decodeCut(), decode()]) {
      expect(last(events)).toMatchObject({ type: 'error', error: { code: 'provider_error' } });
      expect(events.some(({ type }) => type === 'finish')).toBe(false);
    }
    const oneOfTwo = decodeCut(delta({ content: 'a' }, 0), delta({ content: 'b' }, 1), finish('stop', 0));
    expect(last(oneOfTwo)).toMatchObject({ type: 'error' });
  });

  it('finishes at [DONE] without a finish reason, as a complete response does', () => {
    const stopped = decode(delta({ content: 'a' }));
    expect(stopped.slice(-2)).toEqual([{ type: 'finish', choice: 0, finish: 'stop' }, { type: 'end' }]);
    const called = decode(
      delta({ tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] }),
    );
    expect(called.slice(-2)).toEqual([{ type: 'finish', choice: 0, finish: 'tool_calls' }, { type: 'end' }]);
  });

  it('accepts a finished stream without [DONE]', () => {
    expect(last(decodeCut(delta({ content: 'a' }), finish('stop')))).toEqual({ type: 'end' });
  });

  it('reports invalid JSON once', () => {
    const decoder = decodeStream(context());
    expect(decoder.push({ data: '{"choices":' })).toMatchObject([{ type: 'error', error: { code: 'provider_error' } }]);
    expect([...decoder.push({ data: '{}' }), ...decoder.end()]).toEqual([]);
  });
});
