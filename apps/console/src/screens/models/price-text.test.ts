import { describe, expect, it } from 'vitest';
import { priceLines, priceSummary } from './price-text.ts';

const TOKENS = { input: 1.25, cached_input: 0.125, output: 10 };

describe('priceSummary', () => {
  it.each([
    [TOKENS, '$1.25 in · $10.00 out'],
    [{ input: 0, output: 0 }, 'free'],
    [{ input: 0.02, output: 0 }, '$0.02 in'],
    [{ image: 0.04, image_prices: [{ size: '1024x1024', usd: 0.17 }] }, '$0.04 an image'],
    [
      {
        image_prices: [
          { quality: 'high', usd: 0.17 },
          { quality: 'low', usd: 0.01 },
        ],
      },
      'from $0.01 an image',
    ],
    [{ video_second_prices: [{ resolution: '1080p', usd: 0.4 }] }, 'from $0.40 a second'],
    [{ characters: 15 }, '$15.00 per million characters'],
    [{ request: 0.5 }, '$0.50 a request'],
    [{ search: 0.002 }, '$0.002 a search'],
  ])('of %j is %s', (price, summary) => {
    expect(priceSummary(price)).toBe(summary);
  });
});

describe('priceLines', () => {
  it('lists all parts of a price with their units and conditions', () => {
    const price = {
      ...TOKENS,
      tiers: [{ above_input_tokens: 200_000, input: 2.5 }],
      service_tiers: { flex: 0.5 },
      video_second: 0.2,
      video_second_prices: [{ resolution: '1080p', audio: false, usd: 0.4 }],
    };
    expect(priceLines(price).map(({ title, text }) => `${title}: ${text}`)).toEqual([
      'Input tokens: $1.25 per million',
      'Cached input tokens: $0.125 per million',
      'Output tokens: $10.00 per million',
      'Video: $0.20 per second',
      'Video, 1080p, without audio: $0.40 per second',
      'Input tokens, above 200K: $2.50 per million',
      'Service tier flex: 0.5 × the prices of tokens',
    ]);
  });

  it('ignores what is no price', () => {
    expect(priceLines({ input: 'x', tiers: 'y', image_prices: null, service_tiers: 7 })).toEqual([]);
  });
});
