import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRange } from './byte-range.ts';

describe('parseRange', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['Bytes=5-6', { start: 5, end: 6 }],
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=0-1000', { start: 0, end: 99 }],
    ['bytes=10-', { start: 10, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=99-', { start: 99, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', 'complete'],
    ['bytes=-', 'complete'],
    ['bytes=0-1,5-6', 'complete'],
    ['bytes=a-b', 'complete'],
    ['items=0-1', 'complete'],
    ['', 'complete'],
    [undefined, 'complete'],
  ])('reads %j of 100 bytes as %j', (header, expected) => {
    expect(parseRange(header, 100)).toEqual(expected);
  });

  it('stays within the file for any header', () => {
    const number = fc.oneof(fc.constant(''), fc.nat().map(String), fc.bigInt({ min: 0n }).map(String));
    fc.assert(
      fc.property(number, number, fc.nat(), (first, last, bytes) => {
        const range = parseRange(`bytes=${first}-${last}`, bytes);
        if (typeof range === 'string') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(bytes);
      }),
    );
  });
});
