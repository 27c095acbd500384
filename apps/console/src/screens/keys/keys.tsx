import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { keysQuery } from '../../api/keys.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { EmptyState, ErrorNotice } from '../../components/notices.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { CreateKeyDialog } from './create-key.tsx';
import { KEY_COLUMNS } from './key-columns.tsx';
import { KEY_FIELDS, type KeySearch, matchingKeys } from './key-filters.ts';
import { OwnKeyPage } from './own-key.tsx';

const route = getRouteApi('/keys');

/** All keys for the admin key, and the own key for the holder of one. */
export function Keys(): ReactElement {
  return isOperator(useSession()) ? <KeyList /> : <OwnKeyPage />;
}

function KeyList(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useSession().role === 'admin';
  const [isCreating, setCreating] = useState(false);
  const { data, error, refetch } = useQuery(keysQuery);
  const keys = data && matchingKeys(data, search);
  const create = mayChange && (
    <button type="button" className="button button-primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" /> Create key
    </button>
  );
  return (
    <>
      <PageHead title="Keys">{create}</PageHead>
      <div className="flex flex-col gap-4">
        <FilterBar
          fields={KEY_FIELDS}
          filters={search}
          onChange={(filters, { replace }) => void navigate({ search: filters as KeySearch, replace })}
        />
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!(error && !data) && (
          <div className="panel overflow-hidden">
            {keys?.length === 0 ? (
              <EmptyState title="No key matches these filters">
                <p>Remove a filter. Revoked keys are shown with the status “revoked”.</p>
              </EmptyState>
            ) : (
              <DataTable caption="Keys" columns={KEY_COLUMNS} rows={keys} idOf={({ id, name }) => id ?? name} />
            )}
          </div>
        )}
      </div>
      {mayChange && <CreateKeyDialog isOpen={isCreating} onClose={() => setCreating(false)} />}
    </>
  );
}
