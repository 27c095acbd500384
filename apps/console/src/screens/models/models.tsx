import type { ModelList } from '@sluice/api/responses';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { routedModelsQuery } from '../../api/models.ts';
import { useSession } from '../../app/use-session.ts';
import { DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { OperatorsOnly } from '../../components/operators-only.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { DisabledList, NoneConfigured } from '../../components/unconfigured.tsx';
import { formatCount } from '../../lib/format.ts';
import { modelColumns } from './model-columns.tsx';
import { matchingModels, modelFields, type ModelSearch } from './model-filters.ts';
import { ModelPage } from './model-page.tsx';

const route = getRouteApi('/models');

/** All models with their routes and prices, or the page of one. */
export function Models(): ReactElement {
  return (
    <OperatorsOnly title="Models">
      <AllModels />
    </OperatorsOnly>
  );
}

function AllModels(): ReactElement {
  const search = route.useSearch();
  const { data, error, refetch } = useQuery(routedModelsQuery);
  if (search.show === undefined) {
    return (
      <>
        <PageHead title="Models" />
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!(error && !data) && <ModelTable list={data} search={search} />}
      </>
    );
  }
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-64" />}
      {data && <ModelPage id={search.show} list={data} search={search} />}
    </>
  );
}

function ModelTable({ list, search }: { list: ModelList | undefined; search: ModelSearch }): ReactElement {
  const navigate = route.useNavigate();
  const { role } = useSession();
  const models = list && matchingModels(list.data, search);
  const unpriced = list?.data.filter(({ routes }) => routes.some((one) => one.price_status === 'unpriced')).length ?? 0;
  return (
    <div className="flex flex-col gap-4">
      <FilterBar
        fields={modelFields(list?.data ?? [])}
        filters={search}
        // The cast is safe because the fields of the filter bar are parameters of this screen.
        onChange={(filters, { replace }) => void navigate({ search: filters as ModelSearch, replace })}
      />
      {unpriced > 0 && (
        <p className="panel px-4 py-2.5 text-warn">
          {formatCount(unpriced)} {unpriced === 1 ? 'model has' : 'models have'} a route without a price. The cost of
          their requests is unknown, and budgets do not limit it. Set <code>price</code> of the model in the
          configuration.
        </p>
      )}
      <div className="panel overflow-hidden">
        {models?.length === 0 ? (
          <NoneConfigured noun="model" isFiltered={list?.data.length !== 0} />
        ) : (
          <DataTable
            caption="Models"
            columns={modelColumns({ search, canCall: role === 'admin' })}
            rows={models}
            idOf={({ id }) => id}
          />
        )}
      </div>
      {list && list.disabled.length > 0 && (
        <DisabledList
          title="Disabled models"
          aside="No upstream of theirs has its credential"
          items={list.disabled.map(({ id, variables }) => ({ name: id, variables }))}
        />
      )}
    </div>
  );
}
