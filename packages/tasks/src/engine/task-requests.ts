import type { MediaKind, MediaRequest, MediaTask, TaskCallback } from '@sluice/canonical';
import type { TaskAllowance } from '../store/admission.ts';
import type { TaskTarget } from '../store/task-record.ts';

/** A task to be recorded. */
export interface NewTask {
  ownerId: string;
  /** The model id that the client asked for. */
  model: string;
  /** The model's routes that can serve the wish, best first; at least one. Pinned: a route is tried by this list alone. */
  targets: readonly TaskTarget[];
  request: MediaRequest;
  /** Duration told until the upstream says better. */
  seconds: string;
  /** Absent: the owner has no limits. */
  allowance?: TaskAllowance;
  /** The client's own name for the task, unique among its open and kept tasks. */
  externalId?: string;
  /** Who is told when the task has ended. */
  callback?: TaskCallback;
  /** The gateway as the client named it. */
  origin?: string;
  /** Names the operation, so that one key used on two operations means two tasks, e.g. `video.create`. */
  operation: string;
  /** SHA-256 over the request's fields and files, in hexadecimal: tells same from different. */
  digest: string;
  /** The client's `Idempotency-Key`. */
  idempotencyKey?: string;
  /** `x-stainless-retry-count`: how often a published SDK has repeated this request by itself. */
  retryCount: number;
}

/** What became of a {@link NewTask}. */
export interface AdmittedTask {
  task: MediaTask;
  /** True when an earlier request had made the task. */
  replayed: boolean;
}

/** One page of an owner's tasks. */
export interface TaskPage {
  tasks: MediaTask[];
  hasMore: boolean;
}

/** A task as clients saw it at one moment of its life. */
export interface TaskChange {
  /** Grows with each change; the place to go on from. */
  revision: number;
  /** With the state and progress of that moment; what else it tells is as it is now. */
  task: MediaTask;
}

/** How to walk an owner's tasks. */
export interface TaskListing {
  kind: MediaKind;
  /** Id of the last task of the page before. */
  after?: string;
  /** Tasks on the page, 1–100. */
  limit: number;
  /** By time of creation. */
  order: 'asc' | 'desc';
}
