import { createRequire } from 'node:module';
import type * as genaiPrices from '@pydantic/genai-prices';
import type { RateTier, Rates, TokenRates } from '../schema/rates.ts';
import { serviceTiersOf } from './service-tiers.ts';

/** The package, and the day on which this version was published. Both change together. */
export const TEXT_CATALOG = { name: '@pydantic/genai-prices 0.1.8', date: '2026-09-23' } as const;

/** The prices that a vendor of text models publishes. */
export interface TextVendor {
  /** The page on which the vendor publishes the prices. */
  url: string | undefined;
  /** @param at Unix milliseconds, because prices can depend on the date and on the time of day */
  ratesOf(model: string, at: number): Rates | undefined;
}

type Library = typeof genaiPrices;
type Prices = NonNullable<ReturnType<Library['calcPrice']>>['model_price'];

/**
 * Finds a vendor by the URL of its API. The first call loads the catalog, which takes about 60 ms and 11 MB. The catalog
 * does not use the network.
 */
export function textVendorAt(baseUrl: string): TextVendor | undefined {
  const { calcPrice, findProvider } = library();
  const provider = findProvider({ providerApiUrl: baseUrl });
  if (!provider) return undefined;
  const { id: providerId, pricing_urls: urls = [] } = provider;
  return {
    url: urls[0],
    ratesOf(model, at) {
      const name = model.replace(/^models\//, '');
      const found = calcPrice({}, name, { providerId, timestamp: new Date(at) });
      if (!found) return undefined;
      const rates = ratesFrom(found.model_price, serviceTiersOf(providerId, name));
      const minAudioSeconds = rates?.audioSecond === undefined ? undefined : MIN_AUDIO_SECONDS[providerId];
      return rates && minAudioSeconds !== undefined ? { ...rates, minAudioSeconds } : rates;
    },
  };
}

let loaded: Library | undefined;

/** Loaded here and not by an import, because many processes never need a price. The result is needed at once. */
function library(): Library {
  const require = createRequire(import.meta.url);
  // The cast is safe because the package has these types.
  loaded ??= require('@pydantic/genai-prices') as Library;
  return loaded;
}

/** Groq bills at least ten seconds of audio. The package has this rule in `calcPrice`, and not in the prices. */
const MIN_AUDIO_SECONDS: Readonly<Record<string, number>> = { groq: 10 };

/** @returns undefined if the model has no price for tokens or audio */
function ratesFrom(prices: Prices, serviceTiers: Rates['serviceTiers']): Rates | undefined {
  const audioHour = priceAt(prices, 'input_audio_hours', 0);
  const audioSecond = audioHour === undefined ? undefined : perSecond(audioHour);
  if (prices['input_mtok'] === undefined && prices['output_mtok'] === undefined) {
    return audioSecond === undefined ? undefined : { audioSecond };
  }
  const starts = Object.values(prices).flatMap((price) =>
    typeof price === 'object' ? price.tiers.map(({ start }) => start) : [],
  );
  return {
    tokens: tokenRates(prices, 0),
    tiers: [...new Set(starts)]
      .toSorted((one, other) => one - other)
      .map((above): RateTier => ({ above, tokens: tokenRates(prices, above + 1) })),
    serviceTiers,
    audioSecond,
    search: (priceAt(prices, 'web_searches_kcount', 0) ?? 0) / 1_000,
    request: (priceAt(prices, 'requests_kcount', 0) ?? 0) / 1_000,
  };
}

/** Without the last digits of the division, which are not part of a price. */
function perSecond(perHour: number): number {
  return Number((perHour / 3_600).toPrecision(12));
}

function tokenRates(prices: Prices, inputTokens: number): TokenRates {
  const rate = (name: string) => priceAt(prices, name, inputTokens);
  const input = rate('input_mtok') ?? 0;
  return {
    input,
    cachedInput: rate('cache_read_mtok') ?? input,
    cacheWrite: rate('cache_write_mtok') ?? input,
    cacheWrite1h: rate('cache_write_1h_mtok'),
    audioInput: rate('input_audio_mtok'),
    imageInput: rate('input_image_mtok'),
    output: rate('output_mtok') ?? 0,
    audioOutput: rate('output_audio_mtok'),
    imageOutput: rate('output_image_mtok'),
  };
}

function priceAt(prices: Prices, name: string, inputTokens: number): number | undefined {
  const price = prices[name];
  if (typeof price !== 'object') return price;
  return price.tiers.findLast(({ start }) => inputTokens > start)?.price ?? price.base;
}
