import type {
  AdminVideoGroupDetails,
  AdminVideoGroupPage,
  VideoGroup,
  VideoGroupPage,
  VideoGroupWithVideos,
} from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

/** A group of videos. Only operators see its owner. */
export type Group = VideoGroup & Partial<Pick<AdminVideoGroupPage['data'][number], 'owner'>>;

type AdminVideo = AdminVideoGroupDetails['videos']['data'][number];

/** A video of a group, as all roles see it. */
export interface GroupVideo extends Pick<AdminVideo, 'index' | 'state' | 'retries' | 'video_id' | 'error'> {
  /** Absent before the video is created. */
  model?: string | undefined;
  progress?: number | undefined;
}

export interface GroupDetails extends Group {
  videos: { data: GroupVideo[]; next?: string | undefined };
}

interface Groups {
  data: Group[];
  next?: string | undefined;
}

export interface GroupQuery {
  /** Whether to list the groups of all keys. The filters apply only then. */
  all: boolean;
  key: string | undefined;
  status: string | undefined;
  after: string | undefined;
  limit: number;
}

/** A page of groups, newest first. The holder of a key sees its own. */
export function groupsQuery({ all, key, status, after, limit }: GroupQuery) {
  return queryOptions({
    queryKey: ['groups', all, key, status, after, limit],
    queryFn: async ({ signal }): Promise<Groups> => {
      if (all) {
        const query = { owner: key, status, after, limit };
        return callApi<AdminVideoGroupPage>('/admin/v1/groups', { query, signal });
      }
      const page = await callApi<VideoGroupPage>('/v1/videos/batch', { query: { after, limit }, signal });
      return { data: page.data, next: page.has_more ? (page.last_id ?? undefined) : undefined };
    },
  });
}

export interface GroupPageQuery {
  id: string;
  all: boolean;
  /** The index of the last video of the previous page. */
  after: string | undefined;
  limit: number;
}

/** A group with a page of its videos. */
export function groupQuery({ id, all, after, limit }: GroupPageQuery) {
  return queryOptions({
    queryKey: ['group', id, after, limit],
    queryFn: async ({ signal }): Promise<GroupDetails> => {
      const call = { query: { after, limit }, signal };
      const group = all
        ? fromAdmin(await callApi<AdminVideoGroupDetails>(pathOf(id, all), call))
        : fromOwner(await callApi<VideoGroupWithVideos>(pathOf(id, all), call));
      const last = group.videos.data.at(-1);
      return { ...group, videos: { ...group.videos, ...(group.hasMore && last && { next: String(last.index) }) } };
    },
  });
}

function fromAdmin({ videos, ...group }: AdminVideoGroupDetails) {
  const data = videos.data.map(({ task, ...video }) => ({ ...video, model: task?.model, progress: task?.progress }));
  return { ...group, videos: { data }, hasMore: videos.has_more };
}

function fromOwner({ videos, ...group }: VideoGroupWithVideos) {
  const data = videos.data.map(({ index, state, retries, video_id, error, video }) => ({
    index,
    state,
    retries,
    video_id,
    error,
    model: video?.model,
    progress: video?.progress,
  }));
  return { ...group, videos: { data }, hasMore: videos.has_more };
}

/** @throws ApiError */
export function cancelGroup(id: string, all: boolean): Promise<Group> {
  return callApi<Group>(`${pathOf(id, all)}/cancel`, { method: 'POST' });
}

/** @param retriesUnknown whether to retry videos that the vendor may have received @throws ApiError */
export function retryGroup(id: string, all: boolean, retriesUnknown: boolean): Promise<Group> {
  return callApi<Group>(`${pathOf(id, all)}/retry`, { method: 'POST', body: { retry_unknown: retriesUnknown } });
}

function pathOf(id: string, all: boolean): string {
  return `${all ? '/admin/v1/groups' : '/v1/videos/batch'}/${encodeURIComponent(id)}`;
}
