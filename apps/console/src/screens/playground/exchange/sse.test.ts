import { describe, expect, it } from 'vitest';
import { createEventSplitter } from './sse.ts';

const STREAM = 'event: a\r\ndata: {"x":1}\r\n\r\n: keep-alive\n\ndata: one\ndata: two\n\ndata: [DONE]\n\n';
const EVENTS = [
  ['a', '{"x":1}'],
  [undefined, ''],
  [undefined, 'one\ntwo'],
  [undefined, '[DONE]'],
];

describe('createEventSplitter', () => {
  it.each([1, 2, 3, 7, STREAM.length])('finds the events of a stream in chunks of %d characters', (size) => {
    const split = createEventSplitter();
    const pieces = Array.from({ length: Math.ceil(STREAM.length / size) }, (_, at) =>
      STREAM.slice(at * size, (at + 1) * size),
    );
    expect(pieces.flatMap(split).map(({ event, data }) => [event, data])).toEqual(EVENTS);
  });

  it('keeps an incomplete event', () => {
    const split = createEventSplitter();
    expect(split('data: half')).toEqual([]);
    expect(split('\n\n')).toEqual([{ event: undefined, data: 'half', raw: 'data: half' }]);
  });
});
