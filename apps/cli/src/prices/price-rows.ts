import { type Config, type ModelConfig, modelCatalog } from '@sluice/config';
import type { Price, PriceBook } from '@sluice/prices';

/** The price of a model at one of its upstreams. */
export interface PriceRow {
  /** The id in the configuration, or the id that the operator named. */
  model: string;
  upstream: string;
  upstreamModel: string;
  /** Whether the catalog's price depends on the model's name, because the id is a pattern. */
  isPattern: boolean;
  price: Price | undefined;
  /** The catalog's price, if the configuration has a price too. */
  catalogPrice: Price | undefined;
}

/** The prices of all models at all of their upstreams. */
export function allPrices(config: Config, book: PriceBook): PriceRow[] {
  return config.models.flatMap((model) => rowsOf(book, model.id, model, model.routes));
}

/** The prices of one model. @returns undefined if no model has this id */
export function pricesOf(config: Config, book: PriceBook, id: string): PriceRow[] | undefined {
  const found = modelCatalog(config).find(id);
  return found && rowsOf(book, id, found.model, found.targets);
}

function rowsOf(
  book: PriceBook,
  id: string,
  model: ModelConfig,
  targets: readonly { upstream: string; model: string }[],
): PriceRow[] {
  return targets.map(({ upstream, model: upstreamModel }) => {
    const target = { upstream, model: upstreamModel };
    const price = book.priceOf(model, target);
    const catalogPrice = price?.source.from === 'config' ? book.catalogPriceOf(target) : undefined;
    return { model: id, upstream, upstreamModel, isPattern: upstreamModel.includes('*'), price, catalogPrice };
  });
}
