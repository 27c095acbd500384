import type { Usage } from '@sluice/canonical';
import type { ModelPrice } from '@sluice/config';
import { NANOS_PER_USD } from '@sluice/limits';

/** What a price is asked of. */
export interface PricedUse {
  usage?: Usage | undefined;
  /** Spoken. */
  characters?: number | undefined;
}

/** Of a price for a million. */
const NANOS_PER_MICRO_USD = 1_000;

/** What a succeeded request costs, in whole nano-dollars. */
export function nanosOf(price: ModelPrice, { usage, characters = 0 }: PricedUse): number {
  const { input = 0, cached_input = input, cache_write = input, output = 0 } = price;
  const inputTokens = safeCount(usage?.inputTokens);
  const outputTokens = safeCount(usage?.outputTokens);
  const cachedTokens = safeCount(usage?.cachedTokens);
  const cacheWriteTokens = safeCount(usage?.cacheWriteTokens);
  // Usage is inclusive; a vendor that tells more of a part than of the whole is taken at the part.
  const plainTokens = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const metered =
    plainTokens * input +
    cachedTokens * cached_input +
    cacheWriteTokens * cache_write +
    outputTokens * output +
    safeCount(characters) * (price.characters ?? 0);
  return safeCount(Math.round(metered * NANOS_PER_MICRO_USD + (price.request ?? 0) * NANOS_PER_USD));
}

/** What a use counts for tokens a minute. */
export function tokensOf(usage: Usage | undefined): number {
  return safeCount(safeCount(usage?.inputTokens) + safeCount(usage?.outputTokens));
}

/** The largest amount that the limits count. */
const MAX = 9e15;

/** A number of which others are told, as it may be counted: never less than nothing, never more than can be added up. */
function safeCount(told: number | undefined): number {
  return told !== undefined && told > 0 ? Math.min(told, MAX) : 0;
}

/** What a request may cost at most whose tokens are estimated: of all input the dearest kind. */
export function maxNanosOf(price: ModelPrice, use: PricedUse): number {
  const { input = 0, cached_input = input, cache_write = input } = price;
  return nanosOf({ ...price, input: Math.max(input, cached_input, cache_write) }, use);
}
