import type { MediaKind, MediaRequest, MediaTask, TaskCallback } from '@sluice/canonical';
import type { TaskOperator } from './operator/task-operator.ts';

/** One place that can serve a model: an upstream account and the model's name there. */
export interface TaskTarget {
  upstream: string;
  model: string;
}

/** What an owner may have, and what a task of its costs. */
export interface TaskAllowance {
  /** Unfinished tasks at once. */
  openTasks?: number | undefined;
  /** Tasks at vendors at once, over all accounts. */
  concurrentTasks?: number | undefined;
  budget?: { nanos: number; period: 'day' | 'month' | 'total' } | undefined;
  price?: TaskPrice | undefined;
}

/** What a task costs, in nano-dollars. */
export interface TaskPrice {
  /** Held until the task has ended. */
  maxNanos: number;
  /** Of the task itself. */
  taskNanos: number;
  /** Of each image, or of each second of video. */
  unitNanos: number;
}

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

/** Numbers of the whole fleet, kept in Redis. */
export interface TaskStats {
  /** Tasks by inner state. */
  tasks: Record<string, number>;
  submissions: number;
  unknowns: number;
  unclearPolls: number;
  fencedWrites: number;
  /** Steps woken by the sweeper. */
  reconciled: number;
  /** Cumulative lateness histogram of steps: upper bounds in milliseconds → count, plus the sum and the count. */
  lateness: { buckets: [bound: number, count: number][]; sumMs: number; count: number };
  /** Per upstream account: when a worker last claimed a step, Unix milliseconds. */
  lastClaimAt: Record<string, number>;
}

/**
 * The client's side of media tasks: what the API process needs. Every method throws
 * `GatewayError('store_unavailable')` quickly while Redis is away. A task of another owner, a deleted and an
 * expired one do not exist.
 */
export interface TaskEngine {
  /**
   * Records a task, then wakes a worker. After this answer the task cannot be lost.
   * The same idempotency key and digest, or a repeat by a published SDK, give the task that is there already.
   * @throws GatewayError `idempotency_key_reused` for the same key with another digest; `invalid_request` for an
   *   external id that another task has; `rate_limited` or `insufficient_quota` for what the owner may not have.
   */
  submit(newTask: NewTask): Promise<AdmittedTask>;
  /**
   * Sets how many tasks owners may have at vendors at once; undefined: any number. Admissions tell it too: this is for
   * owners that make none.
   */
  capOwners(caps: ReadonlyMap<string, number | undefined>): Promise<void>;
  find(ownerId: string, id: string): Promise<MediaTask | undefined>;
  /** Finds a task by the name that its client gave it. */
  findByExternalId(ownerId: string, externalId: string): Promise<MediaTask | undefined>;
  /** Finds a task for whoever holds a signed link to its content. */
  findForLink(id: string): Promise<MediaTask | undefined>;
  list(ownerId: string, listing: TaskListing): Promise<TaskPage>;
  /**
   * Cancels: certain before submission, best effort after. Answers the record as it then is; a canceled task stays so.
   * @throws GatewayError `video_not_found`; `task_final` when it has completed or failed.
   */
  cancel(ownerId: string, id: string): Promise<MediaTask>;
  /**
   * Deletes the task for its owner at once; an open one is canceled first, content goes soon after.
   * @throws GatewayError `video_not_found`.
   */
  remove(ownerId: string, id: string): Promise<void>;
  /** Answers the task once it is final, or as it is after `timeoutMs` or when the signal aborts. */
  waitForEnd(task: MediaTask, timeoutMs: number, signal: AbortSignal): Promise<MediaTask>;
  /**
   * Gives each change that clients see of the task, its state and its progress, once and in order, the last one its end;
   * goes on through an outage of Redis. Ends early when the signal aborts or the task is deleted. Never throws.
   * @param after the revision of the last change that is known; 0 for none
   */
  follow(task: MediaTask, after: number, signal: AbortSignal): AsyncGenerator<TaskChange, void>;
  /** Tells that a client looked: brings the next poll forward if the last is long enough ago. Never throws. */
  hurry(task: MediaTask): void;
  /** Milliseconds after which looking again is worth while. */
  pollAfterMs(task: MediaTask): number;
  /** What operators do with tasks of any owner. */
  operator: TaskOperator;
  stats(): Promise<TaskStats>;
  /** Whether Redis answers now. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}
