import { describe, expect, it } from 'vitest';
import { PriceSchema } from './price-schema.ts';

function problemsOf(price: unknown): string[] {
  return PriceSchema.safeParse(price).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

describe('the price of a model', () => {
  it('accepts tiers, service tiers, and media prices by their properties', () => {
    const price = {
      input: 1.25,
      output: 10,
      cache_write_1h: 2.5,
      tiers: [
        { above_input_tokens: 200_000, input: 2.5, output: 15 },
        { above_input_tokens: 500_000, input: 5 },
      ],
      service_tiers: { flex: 0.5, priority: 2 },
      search: 0.01,
      image_prices: [{ size: '1024x1024', quality: 'high', usd: 0.167 }, { usd: 0.2 }],
      video_second_prices: [{ resolution: '1080p', audio: true, usd: 0.4 }],
    };
    expect(PriceSchema.parse(price)).toEqual(price);
  });

  it.each([
    [{ tiers: [{ above_input_tokens: 5 }, { above_input_tokens: 5 }] }, 'tiers: must be in ascending order'],
    [{ tiers: [{ above_input_tokens: 5 }, { above_input_tokens: 1 }] }, 'tiers: must be in ascending order'],
    [{ tiers: [{ above_input_tokens: 0 }] }, 'tiers.0.above_input_tokens: '],
    [{ tiers: [{ input: 5 }] }, 'tiers.0.above_input_tokens: '],
    [{ tiers: [{ above_input_tokens: 5, request: 1 }] }, 'tiers.0: Unrecognized key'],
    [{ service_tiers: { flex: -1 } }, 'service_tiers.flex: '],
    [{ image_prices: [{ size: '1024x1024' }] }, 'image_prices.0.usd: '],
    [{ video_second_prices: [{ usd: 1, audio: 'yes' }] }, 'video_second_prices.0.audio: '],
    [{ search: 1e6 }, 'search: '],
    [{ cache_write_1h: '6' }, 'cache_write_1h: '],
  ])('rejects %j', (price, problem) => {
    const problems = problemsOf(price);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });
});
