import type { Usage } from '@sluice/canonical';
import type { ModelPrice } from '@sluice/config';
import { NANOS_PER_USD } from '@sluice/limits';

export interface PricedUse {
  usage?: Usage | undefined;
  characters?: number | undefined;
}

/** The maximum usage of a request. `isBounded` is true if the client limits the output tokens. */
export interface MaxTokens {
  usage: Usage;
  isBounded: boolean;
}

const NANOS_PER_MICRO_USD = 1_000;

export function nanosOf(price: ModelPrice, { usage, characters = 0 }: PricedUse): number {
  const { input = 0, cached_input = input, cache_write = input, output = 0 } = price;
  const inputTokens = safeCount(usage?.inputTokens);
  const outputTokens = safeCount(usage?.outputTokens);
  // `inputTokens` includes cached tokens and cache writes. If a vendor reports a part larger than the total, only the
  // total is charged.
  const cachedTokens = Math.min(safeCount(usage?.cachedTokens), inputTokens);
  const cacheWriteTokens = Math.min(safeCount(usage?.cacheWriteTokens), inputTokens - cachedTokens);
  const plainTokens = inputTokens - cachedTokens - cacheWriteTokens;
  const metered =
    plainTokens * input +
    cachedTokens * cached_input +
    cacheWriteTokens * cache_write +
    outputTokens * output +
    safeCount(characters) * (price.characters ?? 0);
  return safeCount(Math.round(metered * NANOS_PER_MICRO_USD + (price.request ?? 0) * NANOS_PER_USD));
}

export function tokensOf(usage: Usage | undefined): number {
  return safeCount(safeCount(usage?.inputTokens) + safeCount(usage?.outputTokens));
}

/** The largest number that the limits can count. */
const MAX = 9e15;

function safeCount(reported: number | undefined): number {
  return reported !== undefined && reported > 0 ? Math.min(reported, MAX) : 0;
}

/** The maximum price of a request with estimated tokens. All input is priced at the highest input price. */
export function maxNanosOf(price: ModelPrice, use: PricedUse): number {
  const { input = 0, cached_input = input, cache_write = input } = price;
  return nanosOf({ ...price, input: Math.max(input, cached_input, cache_write) }, use);
}
