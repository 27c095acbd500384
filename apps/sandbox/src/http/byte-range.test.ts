import { describe, expect, it } from 'vitest';
import { parseByteRange } from './byte-range.ts';

describe('parseByteRange', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=90-5000', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-5000', { start: 0, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-3', 'complete'],
    ['bytes=-', 'complete'],
    ['bytes=0-1,5-6', 'complete'],
    ['lines=1-2', 'complete'],
    [undefined, 'complete'],
  ])('reads %s of 100 bytes', (header, range) => {
    expect(parseByteRange(header, 100)).toEqual(range);
  });
});
