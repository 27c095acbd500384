import { describe, expect, it } from 'vitest';
import {
  formatClock,
  formatDuration,
  formatEndpoint,
  formatKnownCost,
  formatPercent,
  formatSeconds,
  parseEndpoint,
} from './format.ts';

describe('formatDuration', () => {
  it.each([
    [999.4, '999 ms'],
    [999.5, '1.00 s'],
    [9_994, '9.99 s'],
    [9_995, '10.0 s'],
    [59_949, '59.9 s'],
    [59_950, '1 min 0 s'],
    [119_600, '2 min 0 s'],
    [3_599_600, '1.0 h'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('formatSeconds', () => {
  it.each([
    [2, '2 s'],
    [59, '59 s'],
    [60, '1 min 0 s'],
  ])('writes %d s as %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });
});

describe('formatKnownCost', () => {
  it.each([
    [0, false, '$0.00'],
    [1.5, 0, '$1.50'],
    [undefined, true, 'unpriced'],
    [0, 3, 'unpriced'],
    [1.5, 3, '$1.50 + unpriced'],
  ])('writes %s with unpriced usage %s as %s', (usd, unpriced, text) => {
    expect(formatKnownCost(usd, unpriced)).toBe(text);
  });
});

describe('formatPercent', () => {
  it.each([
    [0, 0, '0%'],
    [0, 7, '0%'],
    [7, 7, '100%'],
    [7, 100, '7.0%'],
    [1, 3, '33.3%'],
  ])('writes %d of %d as %s', (part, total, text) => {
    expect(formatPercent(part, total)).toBe(text);
  });
});

describe('formatClock', () => {
  it('writes midnight as zero', () => {
    expect(formatClock(new Date(2026, 0, 5, 0, 4, 9).getTime())).toBe('00:04:09');
  });
});

describe('formatEndpoint and parseEndpoint', () => {
  it.each([
    ['POST /v1/chat/completions', 'POST /v1/chat/completions'],
    ['POST /v1beta/models/*model:generateContent', 'POST /v1beta/models/{model}:generateContent'],
    ['POST /v1/videos/:video_id/remix', 'POST /v1/videos/{video_id}/remix'],
  ])('write %s as %s and back', (endpoint, text) => {
    expect(formatEndpoint(endpoint)).toBe(text);
    expect(parseEndpoint(text)).toBe(endpoint);
  });
});
