import { GROUP_ITEM_STATES, type MediaTask, type VideoGroup } from '@sluice/canonical';
import type { z } from 'zod';
import type { TaskView } from '../contracts/media-protocol.ts';
import type { GroupEstimate, GroupVideo } from '../contracts/video-groups-protocol.ts';
import { unixSeconds } from '../media/task-facts.ts';
import { encodeVideoObject } from '../media/video-object.ts';
import type {
  DeletedVideoGroupSchema,
  GroupVideoSchema,
  VideoGroupEstimateSchema,
  VideoGroupPageSchema,
  VideoGroupSchema,
  VideoGroupWithVideosSchema,
} from './schema.ts';

const NANOS_PER_USD = 1e9;

export function encodeGroup(group: VideoGroup): z.output<typeof VideoGroupSchema> {
  const { counts, endedAt, expiresAt, unpriced } = group;
  return {
    id: group.id,
    object: 'video.group',
    status: group.status,
    created_at: unixSeconds(group.createdAt),
    ended_at: endedAt === undefined ? null : unixSeconds(endedAt),
    expires_at: expiresAt === undefined ? null : unixSeconds(expiresAt),
    counts: { total: GROUP_ITEM_STATES.reduce((sum, state) => sum + counts[state], 0), ...counts },
    estimated_cost_usd: usdOf(group.estimatedNanos),
    max_cost_usd: usdOf(group.maxCostNanos),
    cost_usd: group.costNanos / NANOS_PER_USD,
    ...(unpriced && { unpriced }),
  };
}

function usdOf(nanos: number | undefined): number | null {
  return nanos === undefined ? null : nanos / NANOS_PER_USD;
}

export function encodeGroupPage(
  group: VideoGroup,
  { videos, hasMore }: { videos: readonly GroupVideo[]; hasMore: boolean },
  viewOf: (task: MediaTask) => TaskView,
): z.output<typeof VideoGroupWithVideosSchema> {
  const data = videos.map((video) => encodeVideo(video, viewOf));
  return { ...encodeGroup(group), videos: { object: 'list', data, has_more: hasMore } };
}

function encodeVideo(
  { item, task }: GroupVideo,
  viewOf: (task: MediaTask) => TaskView,
): z.output<typeof GroupVideoSchema> {
  return {
    index: item.index,
    state: item.state,
    retries: item.retries,
    fields: item.fields,
    video_id: item.taskId ?? null,
    previous_video_ids: item.previousTaskIds,
    error: item.error ?? null,
    video: task ? encodeVideoObject(task, viewOf(task)) : null,
  };
}

export function encodeGroups(groups: readonly VideoGroup[], hasMore: boolean): z.output<typeof VideoGroupPageSchema> {
  return {
    object: 'list',
    data: groups.map(encodeGroup),
    first_id: groups[0]?.id ?? null,
    last_id: groups.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

export function encodeEstimate(estimate: GroupEstimate): z.output<typeof VideoGroupEstimateSchema> {
  const { videos, nanos, budgetNanos, exceeds } = estimate;
  return {
    object: 'video.group.estimate',
    videos,
    cost_usd: usdOf(nanos),
    ...(budgetNanos !== undefined && { remaining_budget_usd: budgetNanos / NANOS_PER_USD }),
    exceeds,
  };
}

export function encodeDeleted(id: string): z.output<typeof DeletedVideoGroupSchema> {
  return { id, object: 'video.group.deleted', deleted: true };
}
