import { describe, expect, it } from 'vitest';
import { frameSize } from './frame-size.ts';
import { pictureParameterSet, sequenceParameterSet } from './parameter-sets.ts';

describe('the level of a sequenceParameterSet', () => {
  it.each([
    [320, 176, 30],
    [1280, 720, 31],
    [1920, 1080, 40],
    [1920, 1920, 50],
    // This frame has few macroblocks, but its rows are longer than level 3.0 allows.
    [1920, 16, 31],
    [16, 1920, 31],
  ])('is the lowest that allows %ix%i at 24 frames per second', (width, height, level) => {
    expect(sequenceParameterSet(frameSize(width, height), 24)[3]).toBe(level);
  });
});

describe('sequenceParameterSet', () => {
  it('announces Constrained Baseline and the level', () => {
    expect([...sequenceParameterSet(frameSize(320, 176), 24).subarray(0, 4)]).toEqual([0x67, 66, 0xc0, 30]);
  });

  it('crops only sizes that are not multiples of 16', () => {
    const uncropped = sequenceParameterSet(frameSize(336, 192), 24);
    const cropped = sequenceParameterSet(frameSize(330, 178), 24);
    expect(cropped.length).toBeGreaterThan(uncropped.length);
    expect(sequenceParameterSet(frameSize(334, 178), 24)).not.toEqual(cropped);
  });
});

describe('pictureParameterSet', () => {
  it('is constant', () => {
    expect(pictureParameterSet()).toEqual(pictureParameterSet());
    expect(pictureParameterSet()[0]).toBe(0x68);
  });
});
