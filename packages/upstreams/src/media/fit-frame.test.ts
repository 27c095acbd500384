import type { MediaLoss } from '@sluice/canonical';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ANY_FRAME, fitFrame, type FrameLimits, frameOf, isWithin } from './fit-frame.ts';

const K = 1024;
const WIDE: FrameLimits = { area: { least: K * K, most: 16 * K * K }, widest: 3, step: 16 };
const NARROW: FrameLimits = { area: { least: 1280 * 1280, most: 1440 * 1440 }, widest: 4, step: 16 };
const SIDED: FrameLimits = {
  area: { least: 512 * 512, most: 1440 * 1440 },
  widest: 1440 / 512,
  side: { least: 512, most: 1440 },
  step: 16,
};

it('what is made up is always within the limits, and lies as it was wished', () => {
  const side = fc.integer({ min: 16, max: 12_000 });
  fc.assert(
    fc.property(side, side, fc.constantFrom(WIDE, NARROW, SIDED), (width, height, limits) => {
      const frame = fitFrame(width / height, width * height, limits);
      expect(isWithin(frame, limits)).toBe(true);
      expect([frame.width % 16, frame.height % 16]).toEqual([0, 0]);
      if (width !== height) expect(Math.sign(frame.width - frame.height)).not.toBe(Math.sign(height - width));
    }),
    { numRuns: 3000 },
  );
});

it.each([
  [{ width: 1024, height: 1024 }, WIDE, true],
  [{ width: 1024, height: 1023 }, WIDE, false],
  [{ width: 4096, height: 4097 }, WIDE, false],
  [{ width: 3072, height: 1024 }, WIDE, true],
  [{ width: 1000, height: 3001 }, WIDE, false],
  [{ width: 512, height: 1440 }, SIDED, true],
  [{ width: 600, height: 1441 }, SIDED, false],
  [{ width: 511, height: 1000 }, SIDED, false],
  [{ width: 1, height: 90_000 }, ANY_FRAME, true],
])('%o within %o: %s', (frame, limits, expected) => {
  expect(isWithin(frame, limits)).toBe(expected);
});

it.each([
  [{}, WIDE, undefined, []],
  [{ size: '1920x1080' }, WIDE, '1920x1080', []],
  [{ size: '512x512' }, WIDE, '1024x1024', ['size clamped']],
  [{ size: '1080x1920' }, NARROW, '1080x1920', []],
  [{ size: '1280x1920' }, NARROW, '1168x1760', ['size clamped']],
  [{ size: '768x2700' }, SIDED, '512x1440', ['size clamped']],
  [{ size: '280x100' }, SIDED, '1440x512', ['size clamped']],
  [{ size: '333x777' }, ANY_FRAME, '333x777', []],
  [{ aspectRatio: '1:1' }, WIDE, '2048x2048', []],
  [{ aspectRatio: '9:16' }, WIDE, '1536x2736', []],
  [{ aspectRatio: '5:1' }, WIDE, '3552x1184', ['aspectRatio clamped']],
  [{ size: '2048x2048', aspectRatio: '9:16' }, WIDE, '2048x2048', []],
])('%o is asked for as %o allow', (wish, limits, expected, losses) => {
  const told: MediaLoss[] = [];
  const frame = frameOf(wish, limits, 4 * K * K, (loss) => told.push(loss));
  expect(frame && `${frame.width}x${frame.height}`).toBe(expected);
  expect(told.map(({ field, how }) => `${field} ${how}`)).toEqual(losses);
});
