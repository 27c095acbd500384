import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { tasksQuery } from '../../api/tasks.ts';
import { useRefresh } from '../../app/use-live.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PlaygroundLink } from '../../components/playground-link.tsx';
import { Pages } from '../../components/pages.tsx';
import type { Filters } from '../../lib/url-search.ts';
import { mediaFields } from '../tasks/task-filters.ts';
import type { GallerySearch } from './gallery-filters.ts';
import { MediaCard } from './media-card.tsx';

const PAGE_SIZE = 24;
const REFRESH_MS = 10_000;
const PLACEHOLDERS = [1, 2, 3, 4, 5, 6];
const route = getRouteApi('/gallery');

/** Finished videos and images, newest first. A file is loaded when it comes into view. */
export function Gallery(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const seesAllKeys = isOperator(useSession());
  const refreshMs = useRefresh(REFRESH_MS);
  const { data, error, refetch } = useQuery({
    ...tasksQuery({ ...search, status: 'completed', prompt: true, limit: PAGE_SIZE }),
    refetchInterval: search.after === undefined ? refreshMs : false,
    placeholderData: keepPreviousData,
  });
  const setFilters = (next: Filters, { replace } = { replace: false }): void =>
    void navigate({ search: { ...next, after: undefined } as GallerySearch, replace });
  return (
    <>
      <PageHead title="Gallery" />
      <div className="flex flex-col gap-4">
        <FilterBar fields={mediaFields(seesAllKeys)} filters={search} onChange={setFilters} />
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {data?.data.length === 0 && (
          <div className="panel">
            <NoMedia isFiltered={Object.keys(search).length > 0} hasMore={data.has_more} />
          </div>
        )}
        <ul className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {data?.data.map((task) => <MediaCard key={task.id} task={task} showsKey={seesAllKeys} />) ??
            (error ? null : PLACEHOLDERS.map((at) => <Skeleton key={at} className="h-64" />))}
        </ul>
        <Pages
          isFirst={search.after === undefined}
          next={data?.next}
          onGo={(after) => void navigate({ search: { ...search, after } })}
        />
      </div>
    </>
  );
}

function NoMedia({ isFiltered, hasMore }: { isFiltered: boolean; hasMore: boolean }): ReactElement {
  if (hasMore) {
    return (
      <EmptyState title="No match among the newest tasks">
        <p>Press “Older” to search further back.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={isFiltered ? 'No media match these filters' : 'No videos or images yet'}>
      <p>
        {isFiltered ? 'Remove a filter to see more.' : 'Create a video or an image. It appears here when it is ready.'}
      </p>
      {!isFiltered && <PlaygroundLink mode="video" />}
    </EmptyState>
  );
}
