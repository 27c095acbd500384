export { priceFields } from './rates/price-fields.ts';
export { createPriceBook, type PriceBook, type PriceTarget } from './price-book.ts';
export { batchUse } from './price/price.ts';
export type {
  Cost,
  ImageUse,
  MediaRates,
  Price,
  PricedUse,
  PriceLine,
  PriceSource,
  PriceUnit,
  VideoUse,
} from './price/price.ts';
