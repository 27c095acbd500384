import type { ModelConfig } from '@sluice/config';
import { createPrice } from './price/create-price.ts';
import type { Price } from './price/price.ts';
import { createPriceCatalog, type PricedUpstreams } from './price-catalog.ts';
import { configRates } from './rates/config-rates.ts';

/** The upstream that serves a model, and the model's name there. */
export interface PriceTarget {
  upstream: string;
  model: string;
}

/** The prices of the configured models. */
export interface PriceBook {
  /**
   * The price in the configuration or, if the model has none, the catalog's price for the upstream and its model. The
   * first call for an upstream at a vendor loads the catalog, which blocks for about 60 ms.
   * @returns undefined if the price is unknown
   */
  priceOf(model: Pick<ModelConfig, 'price'>, target: PriceTarget): Price | undefined;
  /** The catalog's price, even if the configuration has another. */
  catalogPriceOf(target: PriceTarget): Price | undefined;
  /**
   * Whether the catalog has the prices of a model at all of its upstreams. If the model's id is a pattern, whether it has
   * prices of the vendors.
   */
  hasCatalogPrices(model: Pick<ModelConfig, 'routes'>): boolean;
}

/** Creates the price book of a configuration. @param options `now` returns Unix milliseconds */
export function createPriceBook(
  { upstreams }: { upstreams: PricedUpstreams },
  { now = Date.now }: { now?: () => number } = {},
): PriceBook {
  const configured = new WeakMap<NonNullable<ModelConfig['price']>, Price>();
  const catalog = createPriceCatalog(upstreams, now);

  function configuredPrice(price: NonNullable<ModelConfig['price']>): Price {
    let known = configured.get(price);
    if (!known) {
      known = createPrice(configRates(price), { from: 'config' });
      configured.set(price, known);
    }
    return known;
  }

  return {
    priceOf: ({ price }, { upstream, model }) =>
      price && Object.keys(price).length > 0 ? configuredPrice(price) : catalog.priceAt(upstream, model),
    catalogPriceOf: ({ upstream, model }) => catalog.priceAt(upstream, model),
    hasCatalogPrices: ({ routes }) =>
      routes.every(({ upstream, model }) =>
        model.includes('*') ? catalog.hasVendor(upstream) : catalog.priceAt(upstream, model) !== undefined,
      ),
  };
}
