import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { type Column, DataTable } from './data-table.tsx';
import { ErrorNotice } from './notices.tsx';
import { Pages } from './pages.tsx';

interface ListPage<Row> {
  data: readonly Row[];
  next?: string | undefined;
}

export interface PagedTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  /** The query of the page. */
  page: Pick<UseQueryResult<ListPage<Row>>, 'data' | 'error' | 'refetch'>;
  /** Shown if the page has no rows. */
  empty: ReactNode;
  /** The cursor in the URL. Undefined on the first page. */
  after: string | undefined;
  /** Opens another page. Undefined is the first page. */
  onGo: (after: string | undefined) => void;
}

/** A page of a list whose newest rows are first, with buttons to other pages. */
export function PagedTable<Row extends { id: string }>(props: PagedTableProps<Row>): ReactElement {
  const { caption, columns, page, empty, after, onGo } = props;
  const { data, error, refetch } = page;
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!(error && !data) && (
        <div className="panel overflow-hidden">
          {data?.data.length === 0 ? (
            empty
          ) : (
            <DataTable caption={caption} columns={columns} rows={data?.data} idOf={({ id }) => id} />
          )}
        </div>
      )}
      <Pages isFirst={after === undefined} next={data?.next} onGo={onGo} />
    </>
  );
}
