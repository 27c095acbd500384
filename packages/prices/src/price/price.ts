import type { Usage } from '@sluice/canonical';
import type { Rates } from '@sluice/vendors';

/** The quantities of a request or task on which a price can depend. */
export interface PricedUse {
  usage?: Usage | undefined;
  /** Characters of speech input. */
  characters?: number | undefined;
  images?: ImageUse | undefined;
  video?: VideoUse | undefined;
  /** The tier, e.g. `flex` or `priority`, if it is not in `usage`. */
  serviceTier?: string | undefined;
}

/** The service tier of requests in a batch that the vendor runs. */
const BATCH_TIER = 'batch';

/**
 * The use of a request in a batch that the vendor runs. Its tier replaces the one that the vendor reports, because some
 * vendors report the tier of a request outside of batches. Prices and the ledger read it.
 */
export function batchUse(use: PricedUse): PricedUse {
  return { ...use, serviceTier: BATCH_TIER, usage: use.usage && { ...use.usage, serviceTier: BATCH_TIER } };
}

export interface ImageUse {
  count: number;
  /** As `WIDTHxHEIGHT`, or in the vendor's format. */
  size?: string | undefined;
  quality?: string | undefined;
}

export interface VideoUse {
  seconds: number;
  /** E.g. `720p`, or a size as `WIDTHxHEIGHT`. */
  resolution?: string | undefined;
  audio?: boolean | undefined;
}

/** One part of a cost. `quantity` is in units, e.g. tokens or seconds. `nanos` is in nano-dollars. */
export interface PriceLine {
  unit: PriceUnit;
  quantity: number;
  nanos: number;
}

export type PriceUnit =
  | 'input_tokens'
  | 'cached_input_tokens'
  | 'cache_write_tokens'
  | 'cache_write_1h_tokens'
  | 'audio_input_tokens'
  | 'image_input_tokens'
  | 'output_tokens'
  | 'audio_output_tokens'
  | 'image_output_tokens'
  | 'audio_seconds'
  | 'characters'
  | 'images'
  | 'video_seconds'
  | 'searches'
  | 'requests';

/** The cost in nano-dollars. It is the sum of the lines. Parts that are free have no line. */
export interface Cost {
  nanos: number;
  lines: PriceLine[];
}

/**
 * Where a price comes from. A catalog has a name, the date (`YYYY-MM-DD`) on which its prices were read, and the page on
 * which the vendor publishes them. Prices with `via` were read in that secondary source.
 */
export type PriceSource =
  | { from: 'config' }
  | { from: 'catalog'; catalog: string; date: string; url?: string; via?: string };

/** The rates of a media task in nano-dollars: `taskNanos` once, and `unitNanos` per image or second of video. */
export interface MediaRates {
  taskNanos: number;
  unitNanos: number;
  /** The cost of all requested images, or of the requested duration in full seconds. */
  maxNanos: number;
}

export interface Price {
  readonly source: PriceSource;
  readonly rates: Rates;
  /** @returns undefined if the price does not cover the use, so that its cost is unknown. This is never the case for a price from the configuration */
  costOf(use: PricedUse): Cost | undefined;
  /**
   * The maximum cost in nano-dollars of a use with estimated quantities, e.g. if all input is written to a cache. Only
   * batches have the discount of their tier, because a vendor can serve other requests in another tier than requested. It
   * is 0 if the price does not cover the use.
   */
  maxNanosOf(use: PricedUse): number;
  /** @returns undefined if the price does not cover the use */
  mediaRatesOf(use: Pick<PricedUse, 'images' | 'video'>): MediaRates | undefined;
}
