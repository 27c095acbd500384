import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type LedgerEntry, requestsQuery } from '../../api/requests.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';
import { formatDuration, formatTime } from '../../lib/format.ts';
import type { Period } from '../../lib/periods.ts';

const SHOWN = 5;

const COLUMNS: readonly Column<LedgerEntry>[] = [
  {
    title: 'Time',
    cell: ({ id, at_ms: at }) => (
      <Link to="/requests/$id" params={{ id }} className="text-accent hover:underline">
        <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <span className="text-bad">{status}</span> },
  { title: 'Error', cell: ({ error_code: code }) => code ?? '–', isMinor: true },
  { title: 'Model', cell: ({ model }) => <div className="max-w-48 truncate max-sm:max-w-28">{model ?? '–'}</div> },
  { title: 'Duration', cell: ({ duration_ms: ms }) => formatDuration(ms), align: 'end', isMinor: true },
];

/** The newest failed requests of an upstream. */
export function ErrorPanel({ name, period }: { name: string; period: Period }): ReactElement {
  const filters = { upstream: name, status: 'error' };
  const { data, error, refetch } = useQuery({
    ...requestsQuery({ filters, start: period.start, end: period.end, limit: SHOWN }),
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return (
    <Section
      title="Newest errors"
      aside={
        <Link to="/requests" search={{ period: period.name, ...filters }} className="text-accent hover:underline">
          All errors
        </Link>
      }
    >
      {data?.data.length === 0 ? (
        <p className="p-4 text-muted">No request to this upstream failed in this period.</p>
      ) : (
        <DataTable
          caption="Failed requests of this upstream"
          columns={COLUMNS}
          rows={data?.data}
          idOf={({ id }) => id}
        />
      )}
    </Section>
  );
}
