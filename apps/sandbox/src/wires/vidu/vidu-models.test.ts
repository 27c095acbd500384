import { describe, expect, it } from 'vitest';
import { VIDU_CALLS, viduModelOf } from './vidu-models.ts';

function callsOf(name: string): string[] {
  return VIDU_CALLS.filter((call) => viduModelOf(name, call) !== undefined);
}

describe('viduModelOf', () => {
  it.each([
    ['viduq3-pro', 'text2video img2video start-end2video reference2video'],
    ['viduq2', 'text2video reference2video'],
    ['viduq2-pro', 'img2video start-end2video reference2video'],
    ['viduq2-turbo', 'img2video start-end2video'],
    ['viduq1-classic', 'img2video start-end2video'],
    ['vidu2.0', 'img2video start-end2video reference2video'],
    ['vidu1.5', 'text2video img2video start-end2video reference2video'],
    ['vidu9', ''],
    ['', ''],
    ['constructor', ''],
  ])('%s accepts %s', (name, calls) => {
    expect(callsOf(name).join(' ')).toBe(calls);
  });

  it.each([
    ['viduq3-pro', 5, 16],
    ['viduq2', 5, 10],
    ['viduq1', 5, 1],
    ['vidu1.5', 4, 2],
  ])('%s defaults to %d seconds, out of %d durations', (name, defaultSeconds, lengths) => {
    const resolutions = viduModelOf(name, 'text2video')?.resolutionsBySeconds;
    expect([resolutions?.keys().next().value, resolutions?.size]).toEqual([defaultSeconds, lengths]);
  });
});
