import { expect, it } from 'vitest';
import { frameOfArea, frameOfShortSide, shapeOf } from './frame-of-area.ts';

it.each([
  ['16:9', 1280, 720],
  ['9:16', 720, 1280],
  ['1:1', 960, 960],
  ['4:3', 1108, 832],
])('%s of 720p has %d × %d pixels', (ratio, width, height) => {
  const shape = shapeOf(ratio) ?? { width: 1, height: 1 };
  expect(frameOfArea(shape, 1280 * 720)).toEqual({ width, height });
});

it('sets the shorter side to the requested pixels', () => {
  expect(frameOfShortSide({ width: 9, height: 16 }, 540)).toEqual({ width: 540, height: 960 });
  expect(frameOfShortSide({ width: 1000, height: 333 }, 360)).toEqual({ width: 1082, height: 360 });
});

it('has no side without pixels', () => {
  expect(frameOfArea({ width: 1, height: 1000 }, 100)).toEqual({ width: 2, height: 316 });
});

it.each(['', '16', '16:0', '0:9', 'a:b', '16:9:1', '16x9'])('finds no ratio in %j', (text) => {
  expect(shapeOf(text)).toBeUndefined();
});
