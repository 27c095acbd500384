import { describe, expect, it } from 'vitest';
import { bar, sparkline } from './sparkline.ts';

describe('sparkline', () => {
  it.each([
    [[0, 1, 4, 8], '▁▂▅█'],
    [[0, 0], '▁▁'],
    [[0.001, 1_000], '▂█'],
    [[5], '█'],
    [[], ''],
  ])('draws %j', (values, text) => {
    expect(sparkline(values)).toBe(text);
  });

  it('adds adjacent values if there are more than 31', () => {
    const values = Array.from({ length: 93 }, (_, at) => (at < 3 ? 1 : 0));
    expect(sparkline(values)).toBe(`█${'▁'.repeat(30)}`);
  });
});

describe('bar', () => {
  it.each([
    [10, 10, 20],
    [5, 10, 10],
    [0.01, 10, 1],
    [0, 10, 0],
    [0, 0, 0],
  ])('draws %d of %d with %d columns', (value, max, columns) => {
    expect(bar(value, max)).toHaveLength(columns);
  });
});
