import type { TaskStatus } from '@sluice/canonical';
import type { TaskRecord } from './task-record.ts';
import type { TimelineNote } from './timeline.ts';

/** A change of one task, checked and applied by the move script. */
export interface Move {
  /** States in which the change is allowed. */
  from: readonly TaskStatus[];
  /** The new state; absent: the state stays. */
  to?: TaskStatus;
  /** Only if the record still has this epoch. */
  epoch?: number;
  /** Only if the task is at this account. */
  account?: string;
  /** Only if the record still has this attempt: for the result of a submission, which counts even if it is late. */
  attempt?: number;
  /** Claims the task for one step: raises the epoch and measures lateness. */
  claim?: boolean;
  /** Fields to write; `undefined` leaves a field unchanged. */
  set?: Partial<Record<RecordField, string | number | boolean | undefined>>;
  /** When the sweeper checks the task, Unix milliseconds. */
  due?: number;
  /** A counter to increment. */
  count?: 'submissions' | 'unknowns' | 'unclear';
  /** The model's typical running time, milliseconds; undefined: unchanged. */
  usual?: number | undefined;
  /** Pauses submissions to the busy account, at least for the time that it requested. Milliseconds. */
  rest?: { requestedMs: number; minMs: number; maxMs: number };
  /** Enters the account's admission queue. */
  enter?: boolean;
  /** The attempt may have created an unknown job, which no reconciliation of a similar submission may adopt. */
  orphan?: boolean;
  /** Entry of the task's timeline. */
  note?: TimelineNote;
}

type RecordField =
  | 'progress'
  | 'seconds'
  | 'lengthTold'
  | 'size'
  | 'deadlineAt'
  | 'errorCode'
  | 'errorMessage'
  | 'outputs'
  | 'jobOutputs'
  | 'seed'
  | 'upstream'
  | 'upstreamModel'
  | 'upstreamBaseUrl'
  | 'upstreamId'
  | 'upstreamPath'
  | 'adopted'
  | 'upstreamAccount'
  | 'unknownAt'
  | 'waitUntil'
  | 'denials'
  | 'route'
  | 'attempt'
  | 'submittedAt'
  | 'acceptedAt'
  | 'polledAt'
  | 'polls'
  | 'unclearPolls'
  | 'setbacks'
  | 'usualMs'
  | 'dueAt'
  | 'fingerprint'
  | 'cancelRequested'
  | 'submitToken'
  | 'inputsPending'
  | 'deleted';

/** A task that may continue, and the account whose queue wakes it. */
export interface WokenTask {
  account: string;
  id: string;
}

/** Parses `account/id` of the scripts. */
export function parseWoken(text: string): WokenTask {
  const slash = text.indexOf('/');
  return { account: text.slice(0, slash), id: text.slice(slash + 1) };
}

/** Result of a {@link Move}. Only `moved` changed the record; the others return it unchanged. */
export type MoveResult =
  | { result: 'moved' | 'fenced' | 'refused' | 'taken'; record: TaskRecord; dispatched: WokenTask[] }
  | { result: 'missing' };
