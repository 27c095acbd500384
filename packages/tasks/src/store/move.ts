import type { TaskStatus } from '@sluice/canonical';
import type { TaskRecord } from './task-record.ts';
import type { TimelineNote } from './timeline.ts';

/** A change of one task, which the move script checks and applies. */
export interface Move {
  /** The move is refused if the task's state is not in this list, or if the epoch or the account differs. */
  from: readonly TaskStatus[];
  /** The new state. If absent, the state does not change. */
  to?: TaskStatus;
  epoch?: number;
  account?: string;
  /**
   * The move is refused if the task is in a different attempt. A submission's result is checked against the attempt,
   * not the epoch, because the result is valid even if it arrives late.
   */
  attempt?: number;
  /** Claims the task for one step. The claim increments the epoch and records how late the step is. */
  claim?: boolean;
  /** The move is refused if the task has a slot. `priority` and `paused` then change its place in the admission queue. */
  waiting?: boolean;
  /** When the claimed step started, in Unix milliseconds, if that was before the claim. */
  startedAt?: number | undefined;
  set?: Partial<Record<RecordField, string | number | boolean | undefined>>; // An undefined field is not changed.
  /** When the sweeper checks the task next, in Unix milliseconds. */
  due?: number;
  count?: 'submissions' | 'unknowns' | 'unclear';
  /** The model's new typical running time, in milliseconds. If undefined, it does not change. */
  usual?: number | undefined;
  /** Pauses submissions to the busy account. Times are in milliseconds. */
  pause?: { requestedMs: number; minMs: number; maxMs: number };
  enqueue?: boolean;
  /** Whether the attempt may have created an unknown job. No task may adopt that job. */
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
  | 'waitingReason'
  | 'fingerprint'
  | 'cancelRequested'
  | 'submitToken'
  | 'inputsPending'
  | 'taskNanos'
  | 'unitNanos'
  | 'priceSource'
  | 'priority'
  | 'paused'
  | 'deleted';

/** A task to wake, and the account whose queue holds its wake-up. */
export interface WokenTask {
  account: string;
  id: string;
}

export function parseWoken(text: string): WokenTask {
  const slash = text.indexOf('/');
  return { account: text.slice(0, slash), id: text.slice(slash + 1) };
}

/** Result of a {@link Move}. Only `moved` means that the record has changed. */
export type MoveResult =
  | { result: 'moved' | 'fenced' | 'refused' | 'taken'; record: TaskRecord; dispatched: WokenTask[] }
  | { result: 'missing' };
