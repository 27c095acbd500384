import type { TaskStatus } from '@sluice/canonical';
import type { TaskRecord } from './task-record.ts';
import type { TimelineNote } from './timeline.ts';

/** A change of one task, checked and applied by the move script. */
export interface Move {
  /** The change is refused if the task is in another state, epoch, or account. */
  from: readonly TaskStatus[];
  /** Absent: the state stays. */
  to?: TaskStatus;
  epoch?: number;
  account?: string;
  /** The change is refused for another attempt. Used for a submission's result, which is valid even if it is late. */
  attempt?: number;
  /** Claims the task for one step: raises the epoch and records lateness. */
  claim?: boolean;
  set?: Partial<Record<RecordField, string | number | boolean | undefined>>; // undefined leaves a field unchanged
  /** When the sweeper checks the task, Unix milliseconds. */
  due?: number;
  count?: 'submissions' | 'unknowns' | 'unclear';
  /** The model's typical running time, milliseconds; undefined: unchanged. */
  usual?: number | undefined;
  /** Pauses submissions to the busy account. Milliseconds. */
  pause?: { requestedMs: number; minMs: number; maxMs: number };
  enqueue?: boolean;
  /** The attempt may have created an unknown job, which no task may adopt. */
  orphan?: boolean;
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

/** A task to wake, and the account whose queue wakes it. */
export interface WokenTask {
  account: string;
  id: string;
}

export function parseWoken(text: string): WokenTask {
  const slash = text.indexOf('/');
  return { account: text.slice(0, slash), id: text.slice(slash + 1) };
}

/** Result of a {@link Move}. Only `moved` changed the record. */
export type MoveResult =
  | { result: 'moved' | 'fenced' | 'refused' | 'taken'; record: TaskRecord; dispatched: WokenTask[] }
  | { result: 'missing' };
