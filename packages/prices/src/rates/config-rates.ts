import type { ModelPrice } from '@sluice/config';
import type { Rates, TokenRates } from '@sluice/vendors';

type TokenPrices = Pick<
  ModelPrice,
  | 'input'
  | 'cached_input'
  | 'cache_write'
  | 'cache_write_1h'
  | 'audio_input'
  | 'image_input'
  | 'output'
  | 'audio_output'
  | 'image_output'
>;

/** The rates of a price in the configuration. Everything that it does not name is free. */
export function configRates(price: ModelPrice): Rates {
  const { image = 0, image_prices = [], video_second = 0, video_second_prices = [] } = price;
  return {
    tokens: tokenRates(price),
    tiers: price.tiers?.map(({ above_input_tokens: above, ...tier }) => ({
      above,
      tokens: tokenRates({ ...price, ...known(tier) }),
    })),
    serviceTiers: price.service_tiers,
    characters: price.characters ?? 0,
    audioSecond: price.audio_second ?? 0,
    search: price.search ?? 0,
    request: price.request ?? 0,
    images: [...image_prices, { usd: image }],
    video: [...video_second_prices, { usd: video_second }],
  };
}

function tokenRates(price: TokenPrices): TokenRates {
  const { input = 0, cached_input = input, cache_write = input, output = 0 } = price;
  return {
    input,
    cachedInput: cached_input,
    cacheWrite: cache_write,
    cacheWrite1h: price.cache_write_1h,
    audioInput: price.audio_input,
    imageInput: price.image_input,
    output,
    audioOutput: price.audio_output,
    imageOutput: price.image_output,
  };
}

function known<T extends object>(fields: T): Partial<T> {
  // The cast is safe because fields are only removed.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
