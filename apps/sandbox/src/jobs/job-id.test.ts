import { describe, expect, it } from 'vitest';
import { jobIdFor } from './job-id.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('jobIdFor', () => {
  it('gives each wire ids of its vendor’s kind', () => {
    expect(jobIdFor('videos', 'abc', now)).toBe('video_abc');
    expect(jobIdFor('veo', 'abc', now)).toMatch(/^[0-9a-f]{24}$/);
    expect(jobIdFor('ark', 'abc', now)).toMatch(/^cgt-20260102030405-[0-9a-f]{5}$/);
    expect(jobIdFor('dashscope', 'abc', now)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it.each(['provider-a', 'provider-b', 'minimax', 'vidu'] as const)(
    'gives %s digits that no number can hold',
    (wire) => {
      const ids = Array.from({ length: 200 }, (_, index) => jobIdFor(wire, `unique ${index}`, now));
      expect(new Set(ids).size).toBe(200);
      expect(ids.every((id) => /^[1-9]\d{18}$/.test(id) && BigInt(id) > BigInt(Number.MAX_SAFE_INTEGER))).toBe(true);
    },
  );

  it('follows from its unique part', () => {
    expect(jobIdFor('fal', 'abc', now)).toBe(jobIdFor('fal', 'abc', now + 1));
    expect(jobIdFor('fal', 'abc', now)).not.toBe(jobIdFor('fal', 'abd', now));
  });
});
