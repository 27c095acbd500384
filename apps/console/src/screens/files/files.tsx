import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { filesQuery, type ListedFile } from '../../api/files.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { ListEmpty } from '../../components/list-empty.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import type { Filters } from '../../lib/url-search.ts';
import { DeleteFileDialog } from './delete-file-dialog.tsx';
import { fileColumns } from './file-columns.tsx';
import { fileFields, type FileSearch } from './file-filters.ts';

const PAGE_SIZE = 50;
const REFRESH_MS = 10_000;
const route = getRouteApi('/files');

/** The files of the key, or of all keys for operators. */
export function Files(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const setFilters = (next: Filters, { replace } = { replace: false }): void =>
    void navigate({ search: { ...next, after: undefined } as FileSearch, replace });
  return (
    <>
      <PageHead title="Files" />
      <div className="flex flex-col gap-4">
        <FilterBar fields={fileFields(isOperator(useSession()))} filters={search} onChange={setFilters} />
        <FileList />
      </div>
    </>
  );
}

function FileList(): ReactElement {
  const { key, purpose, after } = route.useSearch();
  const navigate = route.useNavigate();
  const all = isOperator(useSession());
  const [selected, setSelected] = useState<ListedFile>();
  const page = useQuery({
    ...filesQuery({ all, key, purpose, after, limit: PAGE_SIZE }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const isFiltered = (key ?? purpose ?? after) !== undefined;
  return (
    <>
      <PagedTable
        caption="Files"
        columns={fileColumns(all ? undefined : setSelected)}
        page={page}
        empty={
          <ListEmpty noun="file" isFiltered={isFiltered} hasMore={page.data?.next !== undefined}>
            Upload a file with POST /v1/files, or with the SDK of OpenAI, Anthropic, or Google. It appears here.
          </ListEmpty>
        }
        after={after}
        onGo={(next) => void navigate({ search: (now) => ({ ...now, after: next }) })}
      />
      <DeleteFileDialog file={selected} onClose={() => setSelected(undefined)} />
    </>
  );
}
