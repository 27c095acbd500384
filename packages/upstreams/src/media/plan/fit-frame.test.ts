import type { MediaLoss } from '@sluice/canonical';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ANY_FRAME, type FrameLimits } from '@sluice/vendors';
import { frameOf } from './fit-frame.ts';

const K = 1024;
const WIDE: FrameLimits = { area: { min: K * K, max: 16 * K * K }, maxRatio: 3, step: 16 };
const NARROW: FrameLimits = { area: { min: 1280 * 1280, max: 1440 * 1440 }, maxRatio: 4, step: 16 };
const SIDED: FrameLimits = {
  area: { min: 512 * 512, max: 1440 * 1440 },
  maxRatio: 1440 / 512,
  side: { min: 512, max: 1440 },
  step: 16,
};

const report = (): void => undefined;

it('stays within the limits and keeps the orientation', () => {
  const side = fc.integer({ min: 16, max: 12_000 });
  fc.assert(
    fc.property(side, side, fc.constantFrom(WIDE, NARROW, SIDED), (width, height, limits) => {
      const frame = frameOf({ size: `${width}x${height}` }, limits, 1, report);
      if (!frame) throw new Error('nothing came of it');
      const [long, short] = [Math.max(frame.width, frame.height), Math.min(frame.width, frame.height)];
      expect(long * short).toBeGreaterThanOrEqual(limits.area.min);
      expect(long * short).toBeLessThanOrEqual(limits.area.max);
      expect(long / short).toBeLessThanOrEqual(limits.maxRatio);
      expect(short).toBeGreaterThanOrEqual(limits.side?.min ?? 1);
      expect(long).toBeLessThanOrEqual(limits.side?.max ?? Number.POSITIVE_INFINITY);
      if (frame.width !== width) expect([frame.width % 16, frame.height % 16]).toEqual([0, 0]);
      if (width !== height) expect(Math.sign(frame.width - frame.height)).not.toBe(Math.sign(height - width));
    }),
    { numRuns: 3000 },
  );
});

it.each([
  ['1024x1024', WIDE, true],
  ['1024x1023', WIDE, false],
  ['4096x4097', WIDE, false],
  ['3072x1024', WIDE, true],
  ['1000x3001', WIDE, false],
  ['512x1440', SIDED, true],
  ['600x1441', SIDED, false],
  ['511x1000', SIDED, false],
  ['1x90000', ANY_FRAME, true],
])('%s within %o stays: %s', (size, limits, expected) => {
  const losses: MediaLoss[] = [];
  const frame = frameOf({ size }, limits, 1, (loss) => losses.push(loss));
  expect(frame && `${frame.width}x${frame.height}` === size).toBe(expected);
  expect(losses.length === 0).toBe(expected);
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
])('%o becomes the frame that %o allow', (params, limits, expected, losses) => {
  const reported: MediaLoss[] = [];
  const frame = frameOf(params, limits, 4 * K * K, (loss) => reported.push(loss));
  expect(frame && `${frame.width}x${frame.height}`).toBe(expected);
  expect(reported.map(({ field, how }) => `${field} ${how}`)).toEqual(losses);
});
