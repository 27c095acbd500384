import { cutText, TASK_STATUSES, type TaskStatus } from '@sluice/canonical';

/**
 * The subjects of timeline entries. `queue`: the client has changed the task's order, or paused or resumed it.
 * `dispatched`: the task left the admission queue. `look_up`: a lost submission was
 * reconciled. `end`: the task ended for another reason (e.g. its deadline).
 */
export const TIMELINE_EVENTS = [
  'accepted',
  'inputs', // Input images are fetched.
  'queue',
  'dispatched',
  'submission',
  'look_up',
  'poll',
  'download', // Outputs are stored in the content store.
  'cancel',
  'delete',
  'operator',
  'end',
] as const;

export type TimelineEvent = (typeof TIMELINE_EVENTS)[number];

/** Describes a change, without prompts, URLs, keys, or vendor ids. */
export interface TimelineNote {
  what: TimelineEvent;
  /** The outcome as one word (e.g. `running`, `busy`, `unknown`). */
  outcome?: string;
  httpStatus?: number;
  code?: string;
  /** The reason for the change. May be shown to clients. */
  reason?: string;
  by?: string;
  note?: string;
}

export interface TimelineEntry extends TimelineNote {
  /** Unix milliseconds. */
  at: number;
  revision: number;
  /** State and progress after the change. */
  status: TaskStatus;
  progress: number;
  attempt: number;
  upstream: string;
  route: number;
  /** Number of consecutive identical entries; absent if there is only one. */
  count?: number;
  /** Present with `count`: the time of the last repetition. `at` is the time of the first. */
  until?: number;
}

/** Maximum length, in characters. */
const MAX_TEXT = 300;

export function shortenNote(note: TimelineNote): TimelineNote {
  const { reason, note: operatorNote, ...rest } = note;
  return {
    ...rest,
    ...(reason !== undefined && { reason: cutText(reason, MAX_TEXT) }),
    ...(operatorNote !== undefined && { note: cutText(operatorNote, MAX_TEXT) }),
  };
}

const statuses: ReadonlySet<string> = new Set(TASK_STATUSES);

/** @throws Error if Redis contains an invalid entry */
export function parseTimelineEntry(json: string): TimelineEntry {
  const entry = JSON.parse(json) as TimelineEntry; // The cast is safe because only the scripts write entries.
  if (!statuses.has(entry.status)) throw new Error(`timeline entry with the invalid status ${entry.status}`);
  return entry;
}
