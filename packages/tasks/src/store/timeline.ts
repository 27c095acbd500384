import { cutText, TASK_STATUSES, type TaskStatus } from '@sluice/canonical';

/** Subjects of timeline entries. */
export const TIMELINE_EVENTS = [
  'accepted',
  /** Input images are fetched. */
  'inputs',
  /** The task left the admission queue. */
  'dispatched',
  'submission',
  /** Reconciliation of a lost submission. */
  'look_up',
  'poll',
  /** Outputs are copied into the content store. */
  'download',
  'cancel',
  'delete',
  'operator',
  /** The task ended for another reason, such as its deadline. */
  'end',
] as const;

export type TimelineEvent = (typeof TIMELINE_EVENTS)[number];

/** A step's description of its change. It contains no prompt, URL, key, or vendor id. */
export interface TimelineNote {
  what: TimelineEvent;
  /** The outcome in one word (e.g. `running`, `busy`, `unknown`). */
  outcome?: string;
  /** Status of the vendor's last response. */
  httpStatus?: number;
  /** Error code of the gateway. */
  code?: string;
  /** May be shown to clients. */
  reason?: string;
  /** Name of an operator. */
  by?: string;
  /** Note of an operator. */
  note?: string;
}

/** An entry of a task's timeline. */
export interface TimelineEntry extends TimelineNote {
  /** Unix milliseconds. */
  at: number;
  /** The record's revision after the change. */
  revision: number;
  /** The task's state and progress after the change. */
  status: TaskStatus;
  progress: number;
  attempt: number;
  /** The upstream account and route of the step. */
  upstream: string;
  route: number;
  /** Consecutive repetitions; absent: once. */
  count?: number;
  /** With `count`: time of the last repetition, Unix milliseconds; `at` is the first. */
  until?: number;
}

/** Maximum length of a reason or note, characters. */
const LONGEST = 300;

/** Cuts the texts of a note to their maximum length. */
export function shortened(note: TimelineNote): TimelineNote {
  const { reason, note: words, ...rest } = note;
  return {
    ...rest,
    ...(reason !== undefined && { reason: cutText(reason, LONGEST) }),
    ...(words !== undefined && { note: cutText(words, LONGEST) }),
  };
}

const statuses: ReadonlySet<string> = new Set(TASK_STATUSES);

/** @throws Error if Redis contains an invalid entry */
export function parseTimelineEntry(json: string): TimelineEntry {
  const entry = JSON.parse(json) as TimelineEntry; // written by the scripts alone
  if (!statuses.has(entry.status)) throw new Error(`timeline entry with the invalid status ${entry.status}`);
  return entry;
}
