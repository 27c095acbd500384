import type { ModelPrice } from '@sluice/config';
import type { MediaRate, Rates, TokenRates } from '@sluice/vendors';

/** The fields of a model's `price` in the configuration that have these rates. */
export function priceFields({ tokens, tiers = [], serviceTiers = {}, ...rates }: Rates): ModelPrice {
  const images = rates.images ?? [];
  const video = rates.video ?? [];
  return known({
    ...(tokens && tokenFields(tokens)),
    tiers: listed(tiers.map((tier) => ({ above_input_tokens: tier.above, ...tokenFields(tier.tokens) }))),
    service_tiers: Object.keys(serviceTiers).length > 0 ? { ...serviceTiers } : undefined,
    search: rates.search || undefined,
    request: rates.request || undefined,
    image: plainRate(images),
    image_prices: listed(images.filter(hasTraits).map((rate) => known({ ...rate }))),
    video_second: plainRate(video),
    video_second_prices: listed(video.filter(hasTraits).map((rate) => known({ ...rate }))),
    characters: rates.characters || undefined,
    audio_second: rates.audioSecond || undefined,
  });
}

function tokenFields(tokens: TokenRates): Partial<ModelPrice> {
  return known({
    input: tokens.input,
    cached_input: tokens.cachedInput,
    cache_write: tokens.cacheWrite,
    cache_write_1h: tokens.cacheWrite1h,
    audio_input: tokens.audioInput,
    image_input: tokens.imageInput,
    output: tokens.output,
    audio_output: tokens.audioOutput,
    image_output: tokens.imageOutput,
  });
}

/** The rate for all uses that no other rate matches, unless they are free. */
function plainRate(rates: readonly MediaRate[]): number | undefined {
  return rates.find((rate) => !hasTraits(rate))?.usd || undefined;
}

function hasTraits({ size, quality, resolution, audio }: MediaRate): boolean {
  return [size, quality, resolution, audio].some((trait) => trait !== undefined);
}

function listed<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function known<T extends object>(fields: T): T {
  // The cast is safe because only fields without a value are removed.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
