import type { ReactElement } from 'react';
import type { Group, GroupVideo } from '../../api/groups.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { EndedProgress } from '../../components/progress-bar.tsx';
import { formatCost, formatKnownCost } from '../../lib/format.ts';
import { GROUP_TEXTS, VIDEO_TEXTS } from './group-filters.ts';

const GROUP_TONES: Readonly<Record<Group['status'], Tone>> = {
  in_progress: 'accent',
  cancelling: 'warn',
  completed: 'ok',
  cancelled: 'neutral',
};

const VIDEO_TONES: Readonly<Record<GroupVideo['state'], Tone>> = {
  pending: 'neutral',
  queued: 'neutral',
  in_progress: 'accent',
  completed: 'ok',
  failed: 'bad',
  cancelled: 'neutral',
};

export function isEndedGroup({ status }: Pick<Group, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled';
}

export function GroupStatus({ status }: Pick<Group, 'status'>): ReactElement {
  return <Badge tone={GROUP_TONES[status]}>{GROUP_TEXTS[status]}</Badge>;
}

export function VideoStatus({ state, progress = 0 }: Pick<GroupVideo, 'state' | 'progress'>): ReactElement {
  return (
    <Badge tone={VIDEO_TONES[state]}>
      {VIDEO_TEXTS[state]}
      {state === 'in_progress' && progress > 0 && (
        <span className="font-normal text-muted tabular-nums">{progress} %</span>
      )}
    </Badge>
  );
}

/** How many videos of a group have succeeded and failed. */
export function GroupProgress({ counts }: Pick<Group, 'counts'>): ReactElement {
  const { total, completed, failed, cancelled } = counts;
  return <EndedProgress plural="videos" completed={completed} failed={failed} cancelled={cancelled} total={total} />;
}

/** The cost of the videos that have ended, and the maximum of all while the group runs. */
export function groupCost(group: Group): string {
  const { cost_usd: usd, unpriced, estimated_cost_usd: estimate, counts } = group;
  const nothingEnded = usd === 0 && !unpriced;
  if (!isEndedGroup(group)) {
    if (estimate === null) return nothingEnded ? 'unpriced' : formatKnownCost(usd, unpriced);
    return nothingEnded ? `up to ${formatCost(estimate)}` : `${formatCost(usd)} of up to ${formatCost(estimate)}`;
  }
  const nothingRan = nothingEnded && counts.completed + counts.failed === 0;
  return nothingRan ? '–' : formatKnownCost(usd, unpriced);
}
