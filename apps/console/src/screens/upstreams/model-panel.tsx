import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type ModelRoute, type RoutedModel, routedModelsQuery } from '../../api/models.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';

interface Row {
  model: RoutedModel;
  route: ModelRoute;
  /** Position in the order of the model's routes. */
  at: number;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Model',
    cell: ({ model: { id } }) => (
      <Link
        to="/models"
        search={{ show: id }}
        className="block max-w-64 truncate font-medium text-accent hover:underline max-sm:max-w-36"
      >
        {id}
      </Link>
    ),
  },
  {
    title: 'At the upstream',
    cell: ({ route }) => <div className="max-w-64 truncate max-sm:max-w-36">{route.model}</div>,
  },
  {
    title: 'Kinds',
    isMinor: true,
    cell: ({ model: { operations } }) => <div className="min-w-32 whitespace-normal">{operations.join(', ')}</div>,
  },
  {
    title: 'Tried',
    cell: ({ model: { routes }, at }) => (routes.length === 1 ? 'only route' : `${at + 1} of ${routes.length}`),
    isMinor: true,
  },
];

/** The models with a route to an upstream. */
export function ModelPanel({ name }: { name: string }): ReactElement {
  const { data, error, refetch } = useQuery(routedModelsQuery);
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const rows = data?.data.flatMap((model) =>
    model.routes.flatMap((route, at) => (route.upstream === name ? [{ model, route, at }] : [])),
  );
  return (
    <Section
      title="Models"
      aside={
        <Link to="/models" search={{ upstream: name }} className="text-accent hover:underline">
          With prices
        </Link>
      }
    >
      {rows?.length === 0 ? (
        <p className="p-4 text-muted">No model has a route to this upstream.</p>
      ) : (
        <div className="max-h-96 overflow-y-auto">
          <DataTable
            caption="Models of this upstream"
            columns={COLUMNS}
            rows={rows}
            idOf={({ model, at }) => `${model.id} ${at}`}
          />
        </div>
      )}
    </Section>
  );
}
