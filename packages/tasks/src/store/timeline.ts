import { cutText, TASK_STATUSES, type TaskStatus } from '@sluice/canonical';

/** What a timeline's entry is about. */
export const TIMELINE_EVENTS = [
  /** The task was recorded. */
  'accepted',
  /** Pictures that the request names by URL are fetched. */
  'inputs',
  /** It was let out of the waiting room. */
  'dispatched',
  /** The vendor is asked to take it, and what came of that. */
  'submission',
  /** A lost submission is looked for. */
  'look_up',
  'poll',
  /** What was made is copied here. */
  'download',
  'cancel',
  'delete',
  /** An operator did something. */
  'operator',
  /** It ended for another reason, such as its deadline. */
  'end',
] as const;

/** One of {@link TIMELINE_EVENTS}. */
export type TimelineEvent = (typeof TIMELINE_EVENTS)[number];

/** What a step tells of the change that it makes. Holds no prompt, URL, key or id of a vendor. */
export interface TimelineNote {
  what: TimelineEvent;
  /** How it went, in one word, such as `running`, `busy` or `unknown`. */
  outcome?: string;
  /** The vendor's last answer. */
  httpStatus?: number;
  /** Our code for what went wrong. */
  code?: string;
  /** Fit for clients. */
  reason?: string;
  /** An operator's name. */
  by?: string;
  /** An operator's own words. */
  note?: string;
}

/** One thing that was tried with a task, and what came of it. */
export interface TimelineEntry extends TimelineNote {
  /** Unix milliseconds. */
  at: number;
  /** The record's revision that came of it. */
  revision: number;
  /** The task's state and progress afterwards. */
  status: TaskStatus;
  progress: number;
  attempt: number;
  /** The upstream account and the model's route that it was tried with. */
  upstream: string;
  route: number;
  /** How often it happened in a row with the same answer; absent: once. */
  count?: number;
  /** With `count`: when it happened last, Unix milliseconds; `at` is the first time. */
  until?: number;
}

/** Longest reason or note that is kept, characters. */
const LONGEST = 300;

/** Shortens what a step tells to what a timeline keeps. */
export function shortened(note: TimelineNote): TimelineNote {
  const { reason, note: words, ...rest } = note;
  return {
    ...rest,
    ...(reason !== undefined && { reason: cutText(reason, LONGEST) }),
    ...(words !== undefined && { note: cutText(words, LONGEST) }),
  };
}

const statuses: ReadonlySet<string> = new Set(TASK_STATUSES);

/** Reads an entry. @throws when Redis holds what Sluice did not write */
export function parseTimelineEntry(json: string): TimelineEntry {
  const entry = JSON.parse(json) as TimelineEntry; // written by the scripts alone
  if (!statuses.has(entry.status)) throw new Error(`timeline entry with status ${entry.status}`);
  return entry;
}
