import type { MediaLoss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { linesOf, resolutionOf, aspectRatioOf, sides } from './aspect-ratio.ts';

function withLosses<T>(run: (report: (loss: MediaLoss) => void) => T): [T, string[]] {
  const losses: string[] = [];
  return [run(({ field, how }) => void losses.push(`${field} ${how}`)), losses];
}

it('sides of a size', () => {
  expect(sides('1280x720')).toEqual({ width: 1280, height: 720 });
});

it.each([
  ['720p', 720],
  ['1080P', 1080],
  ['480p', 480],
  ['2k', 1440],
  ['4K', 2160],
  ['768P', 768],
  ['720', undefined],
  ['hd', undefined],
  ['99p', undefined],
])('%s has %s lines', (expected, lines) => {
  expect(linesOf(expected)).toBe(lines);
});

describe('shape', () => {
  const ASPECT_RATIOS = ['16:9', '9:16', '1:1'];
  it.each([
    [{}, undefined, []],
    [{ aspectRatio: '9:16' }, '9:16', []],
    [{ aspectRatio: '21:9' }, '16:9', ['aspectRatio clamped']],
    [{ aspectRatio: '4:5' }, '1:1', ['aspectRatio clamped']],
    [{ size: '1280x720' }, '16:9', ['size replaced']],
    [{ size: '1000x1100' }, '1:1', ['size replaced']],
    [{ size: '720x1280', aspectRatio: '1:1' }, '1:1', []],
  ])('of %o is %s', (params, shape, losses) => {
    expect(withLosses((report) => aspectRatioOf(params, ASPECT_RATIOS, report))).toEqual([shape, losses]);
  });
});

describe('resolution', () => {
  const RESOLUTIONS = ['720P', '1080P'];
  it.each([
    [{}, undefined, []],
    [{ resolution: '720p' }, '720P', []],
    [{ resolution: '480p' }, '720P', ['resolution clamped']],
    [{ resolution: '4k' }, '1080P', ['resolution clamped']],
    [{ resolution: 'huge' }, undefined, ['resolution dropped']],
    [{ size: '1080x1920' }, '1080P', []],
    [{ size: '640x640' }, '720P', ['size clamped']],
    [{ size: '640x640', resolution: '1080p' }, '1080P', []],
  ])('of %o is %s', (params, expected, losses) => {
    expect(withLosses((report) => resolutionOf(params, RESOLUTIONS, report))).toEqual([expected, losses]);
  });
});
