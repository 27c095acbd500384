import type { ReactElement } from 'react';
import type { ModelRoute } from '../../api/models.ts';
import { Badge } from '../../components/badge.tsx';
import { priceSummary } from './price-text.ts';

/** The price of a route in a few words. A missing price is a warning, because budgets do not limit it. */
export function RoutePrice({ route: { price, price_status: status } }: { route: ModelRoute }): ReactElement {
  if (price) return <>{priceSummary(price)}</>;
  return status === 'unpriced' ? (
    <Badge tone="warn">no price</Badge>
  ) : (
    <span className="text-muted">depends on model</span>
  );
}

/** Where a price comes from, and its date. @param isShort omits the name of the catalog */
export function PriceSource({ route, isShort = false }: { route: ModelRoute; isShort?: boolean }): ReactElement {
  const { price_source: source, price_status: status } = route;
  if (status === 'config') return <>configuration</>;
  if (!source) return <span className="text-muted">–</span>;
  const text = `${isShort ? 'catalog' : source.catalog}, ${source.date}`;
  return (
    <>
      {isWebUrl(source.url) ? (
        <a href={source.url} target="_blank" rel="noreferrer" className="text-accent hover:underline">
          {text}
        </a>
      ) : (
        text
      )}
      {source.via !== undefined && <span className="text-warn"> unchecked</span>}
    </>
  );
}

/** Only such addresses become links. */
function isWebUrl(url: string | undefined): url is string {
  return url !== undefined && /^https?:\/\//.test(url);
}
