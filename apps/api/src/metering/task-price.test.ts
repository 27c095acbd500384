import { createPriceBook } from '@sluice/prices';
import { describe, expect, it } from 'vitest';
import { taskPrice } from './task-price.ts';

const target = { upstream: 'vendor', model: 'm' };
const model = { price: { request: 0.01, image: 0.04, video_second: 0.1 } };
const price = createPriceBook({ upstreams: {} }).priceOf(model, target);
const source = '{"from":"config"}';

describe('taskPrice', () => {
  it('is the price of a second of video, or of an image', () => {
    const video = { kind: 'video' as const, images: [] };
    expect(taskPrice(price, video, '4')).toEqual({ taskNanos: 0.01e9, unitNanos: 0.1e9, source });
    const image = { kind: 'image' as const, images: [], delivery: 'url' as const };
    expect(taskPrice(price, image, '4')).toEqual({ taskNanos: 0.01e9, unitNanos: 0.04e9, source });
  });

  it('depends on the resolution, which can be part of the size, and on the sound', () => {
    const prices = createPriceBook({ upstreams: {} }).priceOf(
      {
        price: {
          video_second: 0.9,
          video_second_prices: [
            { resolution: '720p', audio: false, usd: 0.1 },
            { resolution: '720p', audio: true, usd: 0.2 },
            { resolution: '1080p', usd: 0.5 },
          ],
        },
      },
      target,
    );
    const at = (traits: object) => taskPrice(prices, { kind: 'video', images: [], ...traits }, '4')?.unitNanos;
    expect(at({ resolution: '720p', audio: false })).toBe(0.1e9);
    expect(at({ size: '1280x720', audio: true })).toBe(0.2e9);
    expect(at({ size: '1080x1920' })).toBe(0.5e9);
    expect(at({ resolution: '480p' })).toBe(0.9e9);
  });

  it('is undefined if the price is unknown', () => {
    expect(taskPrice(undefined, { kind: 'video', images: [] }, '4')).toBeUndefined();
  });
});
