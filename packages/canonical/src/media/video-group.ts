/** `pending` means that the video's task is not created yet. The other states are those that clients see. */
export const GROUP_ITEM_STATES = ['pending', 'queued', 'in_progress', 'completed', 'failed', 'cancelled'] as const;

export type GroupItemState = (typeof GROUP_ITEM_STATES)[number];

export const GROUP_STATUSES = ['in_progress', 'cancelling', 'completed', 'cancelled'] as const;

export type GroupStatus = (typeof GROUP_STATUSES)[number];

/** Videos that one request creates. Times are Unix milliseconds. */
export interface VideoGroup {
  id: string;
  /** `completed` means that every video has ended, whatever its state. */
  status: GroupStatus;
  /** How many videos are in each state, as of the last check by a worker. */
  counts: Record<GroupItemState, number>;
  createdAt: number;
  endedAt?: number;
  /** When the record is deleted. */
  expiresAt?: number;
  /** The maximum cost of all videos in nano-dollars. Absent if a price is unknown. */
  estimatedNanos?: number;
  /** The cost of the videos that have ended, in nano-dollars. Replaced videos count. */
  costNanos: number;
  /** A video that has ended has a cost, but its price is unknown. */
  unpriced: boolean;
  /** The client's limit for the cost of the group, in nano-dollars. */
  maxCostNanos?: number;
}

/** One video of a group. */
export interface GroupItem {
  /** Its position in the group, from 0. */
  index: number;
  state: GroupItemState;
  /** How often it was retried. */
  retries: number;
  /** Its fields that differ from those of the group. */
  fields: Record<string, unknown>;
  /** Its current task. Absent if the task could not be created, or is not created yet. */
  taskId?: string;
  /** The failed tasks that retries replaced, oldest first. */
  previousTaskIds: string[];
  /** Why it failed. */
  error?: GroupItemError;
}

export interface GroupItemError {
  code: string;
  message: string;
}

const GROUP_ID = /^group_[0-9a-hjkmnp-tv-z]{25}$/;

export function isGroupId(text: string): boolean {
  return GROUP_ID.test(text);
}
