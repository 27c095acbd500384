import type { GroupItem, MediaTask, VideoGroup } from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';
import type { TaskView } from './media-protocol.ts';

export interface DecodedGroupItem {
  /** The request of the video, without the fields that all videos of the group have. */
  fields: Record<string, unknown>;
  /** Returns the name of a field of the request in the body of the group (e.g. `requests[3][seconds]`). */
  nameOf: (field: string) => string;
}

export interface DecodedGroup {
  /** Fields that all requests have. */
  shared: Record<string, unknown>;
  items: DecodedGroupItem[];
  maxCostUsd?: number;
  /** Called when all videos have ended. */
  callbackUrl?: string;
}

/** The maximum cost of a group that is not created. Amounts are in nano-dollars. */
export interface GroupEstimate {
  videos: number;
  /** Absent if a price is unknown. */
  nanos?: number | undefined;
  budgetNanos?: number | undefined;
  exceeds: ('budget' | 'max_cost_usd')[];
}

/** A video of a group with its task. The task is absent if it does not exist yet, or was deleted. */
export interface GroupVideo {
  item: GroupItem;
  task?: MediaTask | undefined;
}

/** Decoders throw `GatewayError('invalid_request')` with the field's name. */
export interface VideoGroupsProtocol {
  name: string;
  decodeGroup: (body: unknown, maxVideos: number) => DecodedGroup;
  /** Returns whether to retry videos whose submission is unknown. */
  decodeRetry: (body: unknown) => boolean;
  decodeListing: (query: unknown) => { after?: string; limit: number };
  decodePage: (query: unknown) => { from: number; limit: number };
  encodeEstimate: (estimate: GroupEstimate) => unknown;
  encodeGroup: (group: VideoGroup) => unknown;
  /** Encodes a group with a page of its videos. */
  encodeGroupPage: (
    group: VideoGroup,
    page: { videos: readonly GroupVideo[]; hasMore: boolean },
    viewOf: (task: MediaTask) => TaskView,
  ) => unknown;
  encodeGroups: (groups: readonly VideoGroup[], hasMore: boolean) => unknown;
  encodeDeleted: (id: string) => unknown;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
}
