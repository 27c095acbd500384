import type { MediaTask } from '@sluice/canonical';
import type { AdmittedTask, NewTask, TaskChange, TaskListing, TaskPage } from './engine/task-requests.ts';
import type { TaskStats } from './store/task-stats.ts';
import type { TaskOperator } from './operator/task-operator.ts';

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
