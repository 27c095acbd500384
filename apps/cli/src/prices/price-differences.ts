import type { ModelPrice } from '@sluice/config';
import { priceFields } from '@sluice/prices';
import type { PriceRow } from './price-rows.ts';

export interface PriceDifference {
  field: string;
  /** Undefined if the price does not have the field. */
  configured: unknown;
  catalog: unknown;
}

/** The fields of the configured price that differ from the catalog's. */
export function priceDifferences({ price, catalogPrice }: PriceRow): PriceDifference[] {
  if (!price || !catalogPrice) return [];
  const configured = priceFields(price.rates);
  const catalog = priceFields(catalogPrice.rates);
  const fields = new Set<string>([...Object.keys(configured), ...Object.keys(catalog)]);
  return [...fields].flatMap((field) => {
    const [one, other] = [valueOf(configured, field), valueOf(catalog, field)];
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ field, configured: one, catalog: other }];
  });
}

function valueOf(price: ModelPrice, field: string): unknown {
  return Object.entries(price).find(([name]) => name === field)?.[1];
}
