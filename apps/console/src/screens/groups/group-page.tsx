import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactElement } from 'react';
import { type GroupDetails, groupQuery } from '../../api/groups.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { type Fact, Facts } from '../../components/facts.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { PageHead, PlainHead, Section } from '../../components/page-head.tsx';
import { formatCost, formatCount, formatNumberOf, formatTime } from '../../lib/format.ts';
import { keyLink } from '../../lib/key-link.ts';
import { GroupActions } from './group-actions.tsx';
import { VIDEO_STATES, VIDEO_TEXTS } from './group-filters.ts';
import { groupCost, GroupProgress, GroupStatus, isEndedGroup } from './group-status.tsx';
import { VideoGrid } from './video-grid.tsx';

const PAGE_SIZE = 24;
const OPEN_REFRESH_MS = 2_000;
const route = getRouteApi('/groups/$id');

/** One group: its videos with their states and previews, its cost, and the actions that its state allows. */
export function GroupPage(): ReactElement {
  const { id } = route.useParams();
  const { after } = route.useSearch();
  const all = isOperator(useSession());
  const { data, error, refetch } = useQuery({
    ...groupQuery({ id, all, after, limit: PAGE_SIZE }),
    refetchInterval: ({ state }) => (state.data && isEndedGroup(state.data) ? false : OPEN_REFRESH_MS),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Link to="/groups" className="mb-3 inline-flex items-center gap-1.5 text-muted hover:text-text">
        <ArrowLeft aria-hidden className="size-4" /> Groups
      </Link>
      {!data && <PlainHead title={id} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-64" />}
      {data && <GroupView group={data} />}
    </>
  );
}

function GroupView({ group }: { group: GroupDetails }): ReactElement {
  return (
    <>
      <PageHead title={formatNumberOf(group.counts.total, 'video')}>
        <GroupStatus {...group} />
        <GroupActions group={group} />
      </PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <VideoGrid videos={group.videos} />
        <Summary group={group} />
      </div>
    </>
  );
}

function Summary({ group }: { group: GroupDetails }): ReactElement {
  const { owner, counts } = group;
  const facts: Fact[] = [
    { name: 'Group', value: group.id, canCopy: true },
    { name: 'Key', value: owner, link: owner === undefined ? undefined : keyLink(owner) },
    { name: 'Cost', value: groupCost(group) },
    { name: 'Limit', value: group.max_cost_usd === null ? undefined : formatCost(group.max_cost_usd) },
    { name: 'Created', value: time(group.created_at) },
    { name: 'Ended', value: time(group.ended_at) },
    { name: 'Kept until', value: time(group.expires_at) },
    ...VIDEO_STATES.flatMap((state) => {
      const count = counts[state];
      return count > 0 ? [{ name: VIDEO_TEXTS[state], value: formatCount(count) }] : [];
    }),
  ];
  return (
    <Section title="Summary">
      <div className="px-4 pt-4">
        <GroupProgress counts={counts} />
      </div>
      <Facts facts={facts} />
    </Section>
  );
}

/** @param at Unix seconds */
function time(at: number | null): string | undefined {
  return at === null ? undefined : formatTime(at * 1_000);
}
