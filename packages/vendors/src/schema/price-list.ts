import type { Catalog } from './models.ts';
import type { Rates } from './rates.ts';

/** Prices that a vendor publishes. */
export interface PriceList {
  /** Hosts of the vendor's API. The prices do not apply to upstreams at other hosts. */
  hosts: readonly string[];
  /** The page on which the vendor publishes the prices. */
  url: string;
  /** When the prices were read (`YYYY-MM-DD`). */
  date: string;
  /**
   * The secondary source in which the prices were read. They were not compared with the vendor's page. To confirm
   * them, compare them, remove this field, and set the date.
   */
  via?: string;
  /** By the upstream's model name. The first match applies. */
  models: Catalog<Rates>;
}

/** Second-hand prices, each with a link to the vendor's page: MIT-licensed, published in November 2026. */
export const LITELLM = 'the price catalog of LiteLLM 1.109.1';

/** Prices per request only. */
export const FREE_TOKENS = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0 } as const;

/** Prices per second or image by resolution. */
export function byResolution(usd: Readonly<Record<string, number>>): { resolution: string; usd: number }[] {
  return Object.entries(usd).map(([resolution, price]) => ({ resolution, usd: price }));
}

/** Matches a model's name exactly. */
export function named(...names: readonly string[]): RegExp {
  const escaped = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^(?:models/)?(?:${escaped.join('|')})$`);
}
