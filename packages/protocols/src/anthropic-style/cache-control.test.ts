import { describe, expect, it } from 'vitest';
import { decodeCache, encodeCache, limitCacheMarks } from './cache-control.ts';

describe('cache control', () => {
  it('round-trips', () => {
    for (const mark of [{ type: 'ephemeral' }, { type: 'ephemeral', ttl: '5m' }, { type: 'ephemeral', ttl: '1h' }]) {
      expect(encodeCache(decodeCache(mark))).toEqual(mark);
    }
    expect(encodeCache(decodeCache(null))).toBeUndefined();
  });

  it.each([
    ['1m', '5m'],
    ['30m', '1h'],
    ['24h', '1h'],
    ['soon', undefined],
  ])('maps a TTL of %s to %s', (ttl, nearest) => {
    expect(encodeCache({ ttl })?.ttl).toBe(nearest);
  });

  it('keeps the last four marks', () => {
    const blocks = Array.from({ length: 6 }, () => ({ cache_control: encodeCache({}) }));
    expect(limitCacheMarks([[{}], blocks], 0)).toBe(true);
    expect(blocks.map(({ cache_control: mark }) => mark !== undefined)).toEqual([false, false, true, true, true, true]);
    expect(limitCacheMarks([blocks], 0)).toBe(false);
    expect(limitCacheMarks([blocks], 1)).toBe(true);
  });
});
