import type { MediaKind, MediaRequest, MediaTask, TaskCallback } from '@sluice/canonical';
import type { TaskAllowance } from '../store/admission.ts';
import type { TaskTarget } from '../store/task-record.ts';

/** A task to be recorded. */
export interface NewTask {
  ownerId: string;
  /** The model id in the client's request. */
  model: string;
  /** Routes of the model that support the request, best first; at least one. Pinned in the record. */
  targets: readonly TaskTarget[];
  request: MediaRequest;
  /** Requested duration, shown until the upstream reports the actual one. */
  seconds: string;
  /** Absent: the owner has no limits. */
  allowance?: TaskAllowance;
  /** The client's own id of the task, unique among its tasks. */
  externalId?: string;
  /** Where the end of the task is announced. */
  callback?: TaskCallback;
  /** The gateway's origin as the client addressed it. */
  origin?: string;
  /** Name of the operation (e.g. `video.create`); an idempotency key is valid for one operation. */
  operation: string;
  /** Hexadecimal SHA-256 of the request's fields and files, to detect repeats. */
  digest: string;
  /** The client's `Idempotency-Key`. */
  idempotencyKey?: string;
  /** `x-stainless-retry-count`: how often an SDK has retried this request by itself. */
  retryCount: number;
}

export interface AdmittedTask {
  task: MediaTask;
  /** Whether an earlier request created the task. */
  replayed: boolean;
}

export interface TaskPage {
  tasks: MediaTask[];
  hasMore: boolean;
}

/** A state of a task that clients saw. */
export interface TaskChange {
  /** Grows with each change; a position to resume from. */
  revision: number;
  /** With the state and progress of the change; other fields are current. */
  task: MediaTask;
}

export interface TaskListing {
  kind: MediaKind;
  /** Id of the last task of the previous page. */
  after?: string;
  /** Tasks on the page, 1–100. */
  limit: number;
  /** By time of creation. */
  order: 'asc' | 'desc';
}
