import { base64Of } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { WireNumbers, WireVector } from './wire-vector.ts';

const accepts = (value: unknown) => [WireNumbers.safeParse(value).success, WireVector.safeParse(value).success];

describe('WireVector', () => {
  it('accepts numbers, and base64 where allowed', () => {
    expect(accepts([1, -0.5, 0])).toEqual([true, true]);
    expect(accepts(base64Of([1, -0.5, 0]))).toEqual([false, true]);
  });

  it.each([
    ['nothing', []],
    ['no text', ''],
    ['words', ['1']],
    ['null', [1, null]],
    ['a hole', [1, undefined]],
    ['not a number', [1, Number.NaN]],
    ['without end', JSON.parse('[1e999]')],
    ['past what float32 holds', [1e39]],
    ['base64 of what is no number', base64Of([1, Number.NaN])],
    ['base64 of infinity', base64Of([Number.NEGATIVE_INFINITY])],
    ['base64 that breaks off', 'AAAAPwAA'],
    ['no base64', '§§§§'],
  ])('rejects %s', (_what, value) => {
    expect(accepts(value)).toEqual([false, false]);
  });
});
