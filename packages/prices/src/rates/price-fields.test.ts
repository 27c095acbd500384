import { describe, expect, it } from 'vitest';
import { configRates } from './config-rates.ts';
import { priceFields } from './price-fields.ts';

describe('priceFields', () => {
  it('formats rates as a price of the configuration', () => {
    const price = {
      input: 1,
      cached_input: 0.1,
      cache_write: 1.25,
      cache_write_1h: 2,
      audio_input: 3,
      image_input: 4,
      output: 5,
      audio_output: 6,
      image_output: 7,
      tiers: [{ above_input_tokens: 10, input: 2, cached_input: 0.2, cache_write: 2.5, output: 10 }],
      service_tiers: { flex: 0.5 },
      search: 0.01,
      request: 0.001,
      image: 0.04,
      image_prices: [{ size: '1024x1024', quality: 'high', usd: 0.1 }],
      video_second: 0.2,
      video_second_prices: [{ resolution: '1080p', audio: true, usd: 0.4 }],
      characters: 15,
    };
    const [tier] = price.tiers;
    const inherited = { cache_write_1h: 2, audio_input: 3, image_input: 4, audio_output: 6, image_output: 7 };
    expect(priceFields(configRates(price))).toEqual({ ...price, tiers: [{ ...tier, ...inherited }] });
  });

  it('omits what is free, except tokens', () => {
    const fields = { input: 0, cached_input: 0, cache_write: 0, output: 0 };
    expect(priceFields(configRates({ request: 0 }))).toEqual(fields);
    expect(priceFields({ video: [{ usd: 0.1 }] })).toEqual({ video_second: 0.1 });
  });
});
