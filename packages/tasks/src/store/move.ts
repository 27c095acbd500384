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
  /** Only if the record still has this attempt: for a submission's answer, which counts even when it comes late. */
  attempt?: number;
  /** Takes the task for one step: raises the epoch, measures lateness. */
  claim?: boolean;
  /** Fields to write; `undefined` leaves the field alone. */
  set?: Partial<Record<RecordField, string | number | boolean | undefined>>;
  /** When the sweeper is to look after it, Unix milliseconds. */
  due?: number;
  /** A counter of the fleet to raise. */
  count?: 'submissions' | 'unknowns' | 'unclear';
  /** The model's usual running time as now known, milliseconds. */
  usual?: number;
  /** The account is busy: no further submissions for a while, at least as long as it asked for. Milliseconds. */
  rest?: { requestedMs: number; minMs: number; maxMs: number };
  /** Puts the task into its account's waiting room. */
  enter?: boolean;
  /** The attempt may have led to a job that nobody knows: no look-up of a like submission may take that for its own. */
  orphan?: boolean;
  /** For the task's timeline: what was tried and how it went. */
  note?: TimelineNote;
}

/** Fields of a record that a move may write. */
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

/** A task that may go on now, and the account whose queue is to wake it. */
export interface WokenTask {
  account: string;
  id: string;
}

/** Parses `account/id` of the scripts. */
export function parseWoken(text: string): WokenTask {
  const slash = text.indexOf('/');
  return { account: text.slice(0, slash), id: text.slice(slash + 1) };
}

/** What became of a {@link Move}. Only `moved` changed anything; the others carry the record as it is. */
export type MoveResult =
  | { result: 'moved' | 'fenced' | 'refused' | 'taken'; record: TaskRecord; dispatched: WokenTask[] }
  | { result: 'missing' };
