import { cutText, TASK_STATUSES, type TaskStatus } from '@sluice/canonical';

/**
 * Subjects of timeline entries. `dispatched`: the task left the admission queue. `look_up`: reconciliation of a lost
 * submission. `end`: the task ended for another reason, such as its deadline.
 */
export const TIMELINE_EVENTS = [
  'accepted',
  'inputs', // input images are fetched
  'dispatched',
  'submission',
  'look_up',
  'poll',
  'download', // of outputs into the content store
  'cancel',
  'delete',
  'operator',
  'end',
] as const;

export type TimelineEvent = (typeof TIMELINE_EVENTS)[number];

/** Describes a change, without prompts, URLs, keys, or vendor ids. */
export interface TimelineNote {
  what: TimelineEvent;
  /** The outcome in one word (e.g. `running`, `busy`, `unknown`). */
  outcome?: string;
  httpStatus?: number;
  code?: string;
  /** Clients may see it. */
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
  /** Consecutive repetitions; absent: one. */
  count?: number;
  /** With `count`: time of the last repetition; `at` is the time of the first. */
  until?: number;
}

/** In characters. */
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
  const entry = JSON.parse(json) as TimelineEntry; // written by the scripts alone
  if (!statuses.has(entry.status)) throw new Error(`timeline entry with the invalid status ${entry.status}`);
  return entry;
}
