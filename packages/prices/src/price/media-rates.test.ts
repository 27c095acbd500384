import type { ModelPrice } from '@sluice/config';
import { describe, expect, it } from 'vitest';
import { configRates } from '../rates/config-rates.ts';
import { createPrice } from './create-price.ts';

function ratesOf(prices: ModelPrice, use: Parameters<ReturnType<typeof createPrice>['mediaRatesOf']>[0]) {
  return createPrice(configRates(prices), { from: 'config' }).mediaRatesOf(use);
}

describe('mediaRatesOf', () => {
  it('has the price of the request, of a unit, and of all requested units', () => {
    expect(ratesOf({ image: 0.04, request: 0.01 }, { images: { count: 3 } })).toEqual({
      taskNanos: 10_000_000,
      unitNanos: 40_000_000,
      maxNanos: 130_000_000,
    });
    expect(ratesOf({ video_second: 0.1 }, { video: { seconds: 4.2 } })).toEqual({
      taskNanos: 0,
      unitNanos: 100_000_000,
      maxNanos: 500_000_000,
    });
  });

  it.each([0, -1, Number.NaN, 0.3])('reserves one second for a duration of %d', (seconds) => {
    expect(ratesOf({ video_second: 0.1 }, { video: { seconds } })?.maxNanos).toBe(100_000_000);
  });

  it('is free without a price for the kind', () => {
    expect(ratesOf({ input: 1 }, { video: { seconds: 4 } })).toEqual({ taskNanos: 0, unitNanos: 0, maxNanos: 0 });
  });

  it.each([
    [{ seconds: 1, resolution: '720p', audio: false }, 0.1],
    [{ seconds: 1, resolution: '1280x720', audio: true }, 0.2],
    [{ seconds: 1, resolution: '720x1280', audio: true }, 0.2],
    [{ seconds: 1, resolution: '720*1280', audio: true }, 0.2],
    [{ seconds: 1, resolution: '1080P', audio: true }, 0.4],
    [{ seconds: 1, resolution: '1920:1080', audio: true }, 0.4],
    [{ seconds: 1, resolution: '4K', audio: true }, 0.6],
    [{ seconds: 1, resolution: '480p', audio: true }, 0.05],
    [{ seconds: 1, resolution: '720p' }, 0.2],
    [{ seconds: 1 }, 0.6],
  ])('prices a second of the video %j at %d dollars', (video, usd) => {
    const video_second_prices = [
      { resolution: '720p', audio: false, usd: 0.1 },
      { resolution: '720p', usd: 0.2 },
      { resolution: '1080p', usd: 0.4 },
      { resolution: '2160p', usd: 0.6 },
    ];
    expect(ratesOf({ video_second: 0.05, video_second_prices }, { video })?.unitNanos).toBe(usd * 1e9);
  });

  it.each([
    [{ count: 1, size: '1024X1024', quality: 'High' }, 0.167],
    [{ count: 1, size: '1024*1024', quality: 'low' }, 0.011],
    [{ count: 1, size: '1024x1536', quality: 'high' }, 0.25],
    [{ count: 1, quality: 'low' }, 0.02],
  ])('prices the image %j at %d dollars', (images, usd) => {
    const image_prices = [
      { size: '1024x1024', quality: 'high', usd: 0.167 },
      { size: '1024x1024', quality: 'low', usd: 0.011 },
      { quality: 'high', usd: 0.25 },
    ];
    expect(ratesOf({ image: 0.02, image_prices }, { images })?.unitNanos).toBe(usd * 1e9);
  });
});
