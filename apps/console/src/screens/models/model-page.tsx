import type { ModelList } from '@sluice/api/responses';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactElement } from 'react';
import type { ModelRoute, RoutedModel } from '../../api/models.ts';
import { useSession } from '../../app/use-session.ts';
import { Facts } from '../../components/facts.tsx';
import { EmptyState } from '../../components/notices.tsx';
import { PageHead, PlainHead, Section } from '../../components/page-head.tsx';
import type { ModelSearch } from './model-filters.ts';
import { ModelLinks } from './model-links.tsx';
import { priceLines } from './price-text.ts';
import { PriceSource } from './route-price.tsx';
import { MessageText } from '../../components/message-text.tsx';

export interface ModelPageProps {
  id: string;
  list: ModelList;
  search: ModelSearch;
}

/** One model: its routes in their order, each with all parts of its price. */
export function ModelPage({ id, list, search }: ModelPageProps): ReactElement {
  // An exact id takes precedence, and then the first pattern.
  const model = list.data.find((one) => one.id === id) ?? list.data.find((one) => matches(one.id, id));
  return (
    <>
      <Link
        to="/models"
        search={{ ...search, show: undefined }}
        className="mb-3 inline-flex items-center gap-1.5 text-muted hover:text-text"
      >
        <ArrowLeft aria-hidden className="size-4" /> Models
      </Link>
      {model ? (
        <ShownModel model={model} />
      ) : (
        <>
          <PlainHead title={id} />
          <EmptyState title="No such model">
            <p className="break-all">
              The configuration has no model <code>{id}</code>, or its upstreams are disabled.
            </p>
          </EmptyState>
        </>
      )}
    </>
  );
}

/** @param pattern in which `*` matches any characters */
function matches(pattern: string, id: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined || !id.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const at = id.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return id.length - last.length >= from && id.endsWith(last);
}

function ShownModel({ model }: { model: RoutedModel }): ReactElement {
  const { id, operations, strict, routes } = model;
  const { role } = useSession();
  const facts = [
    { name: 'Id', value: id, canCopy: true },
    { name: 'Kinds', value: operations.join(', ') || undefined },
    { name: 'Routes', value: routes.length === 1 ? '1' : `${routes.length}, tried in this order` },
    {
      name: 'Translation',
      value: strict ? 'strict: rejects what a route cannot express' : 'drops what a route cannot express',
    },
  ];
  return (
    <>
      <PageHead title={<span className="break-all">{id}</span>} />
      <div className="grid items-start gap-4 lg:grid-cols-[1fr_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {routes.map((route, at) => (
            <RoutePanel key={at} route={route} at={at} />
          ))}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Section title="Model">
            <Facts facts={facts} />
          </Section>
          <Section title="More">
            <div className="flex flex-col items-start gap-2 p-4">
              {id.includes('*') && (
                <p className="text-muted">This is a pattern. Requests and usage have the names that clients send.</p>
              )}
              <ModelLinks model={model} canCall={role === 'admin'} />
              <Link to="/configuration" search={{ find: `models[${id}].` }} className="text-accent hover:underline">
                Configuration of this model
              </Link>
            </div>
          </Section>
        </div>
      </div>
    </>
  );
}

function RoutePanel({ route, at }: { route: ModelRoute; at: number }): ReactElement {
  const { upstream, model, price, price_status: status } = route;
  return (
    <Section title={`Route ${at + 1}: ${upstream}`} aside={<PriceSource route={route} />}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5">
        <span className="min-w-0 break-all">
          <span className="text-muted">Model at the upstream: </span>
          {model}
        </span>
        <Link
          to="/upstreams/$name"
          params={{ name: upstream }}
          className="ml-auto text-accent hover:underline max-sm:ml-0"
        >
          Health of {upstream}
        </Link>
      </div>
      {price ? (
        <PriceTable price={price} />
      ) : (
        <p className="p-4 text-muted">
          <MessageText text={missingPrice(status)} />
        </p>
      )}
    </Section>
  );
}

function PriceTable({ price }: { price: NonNullable<ModelRoute['price']> }): ReactElement {
  return (
    <dl className="divide-y divide-line">
      {priceLines(price).map(({ title, text }) => (
        <div key={title} className="flex justify-between gap-4 px-4 py-2">
          <dt className="text-muted">{title}</dt>
          <dd className="text-right tabular-nums">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function missingPrice(status: ModelRoute['price_status']): string {
  return status === 'unpriced'
    ? 'This route has no price. The cost of its requests is unknown, and budgets do not limit it. Set `price` of the model in the configuration.'
    : 'The price depends on the model that the client names. Models that the catalog does not know have no price.';
}
