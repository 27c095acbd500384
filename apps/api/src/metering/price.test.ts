import { toNanos } from '@sluice/limits';
import { describe, expect, it } from 'vitest';
import { maxNanosOf, nanosOf, tokensOf } from './price.ts';

const price = { input: 3, cached_input: 0.3, cache_write: 3.75, output: 15, request: 0.001 };
const MILLION = 1_000_000;

describe('the price of a request', () => {
  it('adds the tokens at their rates and the price of the request', () => {
    const usage = { inputTokens: MILLION, outputTokens: MILLION, cachedTokens: 500_000, cacheWriteTokens: 100_000 };
    expect(nanosOf(price, { usage })).toBe(toNanos(0.4 * 3 + 0.5 * 0.3 + 0.1 * 3.75 + 15 + 0.001));
  });

  it.each([
    [{ inputTokens: 100, cachedTokens: MILLION }, 100 * 300],
    [{ inputTokens: 100, cacheWriteTokens: MILLION }, 100 * 3_750],
    [{ inputTokens: 100, cachedTokens: 60, cacheWriteTokens: 60 }, 60 * 300 + 40 * 3_750],
    [{ inputTokens: 0, cachedTokens: MILLION }, 0],
  ])('never books more cached tokens than input tokens: %j', (usage, nanos) => {
    expect(nanosOf({ ...price, request: 0 }, { usage: { outputTokens: 0, ...usage } })).toBe(nanos);
  });

  it('uses the input price for cached tokens without a price', () => {
    const usage = { inputTokens: 10, outputTokens: 0, cachedTokens: 5, cacheWriteTokens: 5 };
    expect(nanosOf({ input: 2 }, { usage })).toBe(20_000);
  });

  it('is exact for fractions of a cent for a million tokens', () => {
    expect(nanosOf({ input: 0.15, output: 0.6 }, { usage: { inputTokens: 1, outputTokens: 1 } })).toBe(750);
    expect(nanosOf({ input: 0.15 }, { usage: { inputTokens: 3, outputTokens: 0 } })).toBe(450);
  });

  it.each([-5, Number.NaN, -Infinity])('counts %d tokens as zero, so that no count lowers the price', (count) => {
    const usage = { inputTokens: count, outputTokens: count, cachedTokens: count, cacheWriteTokens: count };
    expect(nanosOf(price, { usage, characters: count })).toBe(toNanos(0.001));
    expect(nanosOf({ input: 2 }, { usage: { ...usage, inputTokens: 10 } })).toBe(20_000);
    expect(tokensOf({ inputTokens: count, outputTokens: 7 })).toBe(7);
  });

  it.each([1e30, Infinity])('stays within the countable range for %d tokens', (count) => {
    const usage = { inputTokens: count, outputTokens: count };
    expect(nanosOf(price, { usage })).toBe(9e15);
    expect(tokensOf(usage)).toBe(9e15);
  });

  it('counts characters of speech', () => {
    expect(nanosOf({ characters: 15 }, { characters: 1_000 })).toBe(toNanos(0.015));
  });

  it('is zero without prices', () => {
    expect(nanosOf({}, { usage: { inputTokens: 1_000, outputTokens: 1_000 }, characters: 5 })).toBe(0);
  });

  it('is reserved at no less than the actual price', () => {
    const usage = { inputTokens: 1_000, outputTokens: 0 };
    const real = { ...usage, cacheWriteTokens: 1_000 };
    expect(maxNanosOf(price, { usage })).toBeGreaterThanOrEqual(nanosOf(price, { usage: real }));
  });
});
