import type { UpstreamConfig } from '@sluice/config';
import {
  findModel,
  kindTables,
  MANIFESTS,
  type PriceList,
  type Rates,
  TEXT_CATALOG,
  type TextVendor,
  textVendorAt,
  type UpstreamKindName,
} from '@sluice/vendors';
import { createPrice } from './price/create-price.ts';
import type { Price, PriceSource } from './price/price.ts';

/** The fields of upstreams that determine a vendor. */
export type PricedUpstreams = Readonly<Record<string, Pick<UpstreamConfig, 'kind' | 'base_url'>>>;

/** The catalog's prices of models at the configured upstreams. */
export interface PriceCatalog {
  priceAt(upstream: string, model: string): Price | undefined;
  /** Whether the vendor of the upstream is in the catalog. */
  hasVendor(upstream: string): boolean;
}

/** Prices of text models can depend on the time of day, so they are looked up again after this time. */
const LOOKUP_MS = 60_000;
/** Maximum number of cached prices. If a model's id is a pattern, clients choose the names. */
const MAX_CACHED = 1_000;

const KINDS = kindTables<UpstreamKindName>(MANIFESTS);

interface CachedPrice {
  price: Price | undefined;
  until: number;
}

export function createPriceCatalog(upstreams: PricedUpstreams, now: () => number): PriceCatalog {
  const vendors = new Map<string, TextVendor | undefined>();
  const cached = new Map<string, Map<string, CachedPrice>>();
  let count = 0;

  function textVendor(upstream: string): TextVendor | undefined {
    if (!vendors.has(upstream)) {
      const url = upstreams[upstream]?.base_url;
      // All vendors use HTTPS, so that a gateway for local models does not load the catalog.
      vendors.set(upstream, url?.startsWith('https:') ? textVendorAt(url) : undefined);
    }
    return vendors.get(upstream);
  }

  function find(upstream: string, model: string): Price | undefined {
    const listed = listedRates(upstreams[upstream], model);
    const vendor = textVendor(upstream);
    const rates = vendor?.ratesOf(model, now());
    if (!rates && !listed) return undefined;
    return createPrice({ ...rates, ...listed?.rates }, sourceOf(rates && vendor, listed?.list));
  }

  return {
    priceAt(upstream, model) {
      let models = cached.get(upstream);
      const known = models?.get(model);
      const at = now();
      if (known && known.until > at) return known.price;
      if (!known) count += 1;
      if (count > MAX_CACHED) {
        cached.clear();
        count = 1;
        models = undefined;
      }
      if (!models) cached.set(upstream, (models = new Map()));
      const price = find(upstream, model);
      models.set(model, { price, until: at + LOOKUP_MS });
      return price;
    },
    hasVendor: (upstream) => textVendor(upstream) !== undefined || listsAt(upstreams[upstream]).length > 0,
  };
}

/** The rates in the vendor's own list. */
function listedRates(
  upstream: PricedUpstreams[string] | undefined,
  model: string,
): { rates: Rates; list: PriceList } | undefined {
  for (const list of listsAt(upstream)) {
    const rates = findModel(list.models, model);
    if (rates) return { rates, list };
  }
  return undefined;
}

function listsAt(upstream: PricedUpstreams[string] | undefined): readonly PriceList[] {
  const host = upstream && URL.parse(upstream.base_url)?.host;
  return upstream && host ? KINDS.pricesOf(upstream.kind).filter(({ hosts }) => hosts.includes(host)) : [];
}

/** If both catalogs have prices of the model (e.g. of its tokens and of its images), the source names both. */
function sourceOf(vendor: TextVendor | undefined, list: PriceList | undefined): PriceSource {
  const dates = [...(vendor ? [TEXT_CATALOG.date] : []), ...(list ? [list.date] : [])];
  const url = list?.url ?? vendor?.url;
  return {
    from: 'catalog',
    catalog: [...(vendor ? [TEXT_CATALOG.name] : []), ...(list ? ['sluice'] : [])].join(' and '),
    date: dates.toSorted()[0] ?? '',
    ...(url !== undefined && { url }),
    ...(list?.via !== undefined && { via: list.via }),
  };
}
