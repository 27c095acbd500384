import type { MediaLoss } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { frameAmong, nearestFrame } from './nearest-frame.ts';

const FRAMES = ['864:496', '1280:720', '720:1280', '1920:1080', '960:960', '1584:672'];

it('prefers the nearest aspect ratio, then the nearest area', () => {
  expect(nearestFrame({ width: 1600, height: 900 }, FRAMES)).toBe('1920:1080');
  expect(nearestFrame({ width: 1300, height: 800 }, FRAMES)).toBe('1280:720');
  expect(nearestFrame({ width: 5000, height: 5000 }, FRAMES)).toBe('960:960');
  expect(nearestFrame({ width: 1, height: 1 }, [])).toBeUndefined();
});

it.each([
  [{ size: '1280x720' }, '1280:720', []],
  [{ size: '1920x1088' }, '1920:1080', ['size clamped']],
  [{ size: '1920x1080', aspectRatio: '1:1' }, '1920:1080', []],
  [{ aspectRatio: '16:9' }, '1280:720', []],
  [{ aspectRatio: '21:9' }, '1584:672', []],
  [{ aspectRatio: '9:16', resolution: '720p' }, '720:1280', []],
  [{ aspectRatio: '9:16', resolution: '1080p' }, '720:1280', ['resolution clamped']],
  [{ aspectRatio: '5:4' }, '960:960', ['aspectRatio clamped']],
  [{ aspectRatio: '1:1', resolution: '720p' }, '960:960', []],
  [{ aspectRatio: '1:1', resolution: '1080p' }, '960:960', ['resolution clamped']],
  [{ resolution: '1080p' }, '1920:1080', []],
  [{ resolution: '480p' }, '864:496', []],
  [{ resolution: '4k' }, '1920:1080', ['resolution clamped']],
  [{ resolution: 'huge' }, undefined, ['resolution dropped']],
  [{ resolution: 'huge', aspectRatio: '1:1' }, '960:960', ['resolution dropped']],
  [{}, undefined, []],
])('%o is %s', (params, frame, expected) => {
  const losses: MediaLoss[] = [];
  expect(frameAmong(params, FRAMES, (loss) => losses.push(loss))).toBe(frame);
  expect(losses.map(({ field, how }) => `${field} ${how}`)).toEqual(expected);
});
