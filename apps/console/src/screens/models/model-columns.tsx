import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { ModelRoute, RoutedModel } from '../../api/models.ts';
import type { Column } from '../../components/data-table.tsx';
import type { ModelSearch } from './model-filters.ts';
import { ModelLinks } from './model-links.tsx';
import { PriceSource, RoutePrice } from './route-price.tsx';

/** Further routes are on the model's page. */
const MAX_ROUTES = 3;

export interface ModelColumnOptions {
  /** The filters, which stay when a model is opened. */
  search: ModelSearch;
  canCall: boolean;
}

export function modelColumns({ search, canCall }: ModelColumnOptions): readonly Column<RoutedModel>[] {
  return [
    {
      title: 'Model',
      cell: ({ id, operations, strict }) => (
        <>
          <Link
            to="/models"
            search={{ ...search, show: id }}
            className="block max-w-64 truncate font-medium text-accent hover:underline max-sm:max-w-36"
          >
            {id}
          </Link>
          <div className="max-w-64 text-xs whitespace-normal text-muted">
            {[...operations, ...(strict ? ['strict'] : [])].join(', ')}
          </div>
        </>
      ),
    },
    {
      title: 'Routes',
      isMinor: true,
      cell: ({ routes }) => (
        <Lines routes={routes}>
          {({ upstream, model }) => (
            <span className="flex max-w-52 gap-1.5">
              <Link
                to="/upstreams/$name"
                params={{ name: upstream }}
                className="shrink-0 hover:text-accent hover:underline"
              >
                {upstream}
              </Link>
              <span className="truncate text-muted">{model}</span>
            </span>
          )}
        </Lines>
      ),
    },
    {
      title: 'Price',
      cell: ({ routes }) => <Lines routes={routes}>{(route) => <RoutePrice route={route} />}</Lines>,
    },
    {
      title: 'Source of the price',
      isMinor: true,
      cell: ({ routes }) => <Lines routes={routes}>{(route) => <PriceSource route={route} isShort />}</Lines>,
    },
    {
      title: 'Open',
      isMinor: true,
      cell: (model) => (
        <span className="flex gap-3">
          <ModelLinks model={model} canCall={canCall} />
        </span>
      ),
    },
  ];
}

/** One line for each route, so that the lines of the columns are beside each other. */
function Lines({
  routes,
  children,
}: {
  routes: readonly ModelRoute[];
  children: (route: ModelRoute) => ReactNode;
}): ReactElement {
  return (
    <ul>
      {routes.slice(0, MAX_ROUTES).map((route, at) => (
        <li key={at} className="h-5">
          {children(route)}
        </li>
      ))}
      {routes.length > MAX_ROUTES && <li className="text-xs text-muted">+{routes.length - MAX_ROUTES} more</li>}
    </ul>
  );
}
