import type { MediaTask } from '@sluice/canonical';
import type { AdmittedTask, NewTask, TaskChange, TaskListing, TaskPage } from './engine/task-requests.ts';
import type { TaskStats } from './store/task-stats.ts';
import type { TaskOperator } from './operator/task-operator.ts';

/**
 * Operations on media tasks for the API process. Every method throws `GatewayError('store_unavailable')` quickly while
 * Redis is away. Other owners' tasks, deleted tasks, and expired tasks are treated as missing.
 */
export interface TaskEngine {
  /**
   * Records a task and wakes a worker. Once this resolves, the task cannot be lost. The same idempotency key and
   * digest, or an SDK's retry, return the existing task.
   * @throws GatewayError `idempotency_key_reused` for the same key with another digest; `invalid_request` for an
   * external id in use; `rate_limited` or `insufficient_quota` for the owner's limits
   */
  submit(newTask: NewTask): Promise<AdmittedTask>;
  /** Sets owners' maximum of running tasks; undefined: no limit. Each admission sets it too. */
  capOwners(caps: ReadonlyMap<string, number | undefined>): Promise<void>;
  find(ownerId: string, id: string): Promise<MediaTask | undefined>;
  findByExternalId(ownerId: string, externalId: string): Promise<MediaTask | undefined>;
  /** Finds a task of any owner, for a signed link to its content. */
  findForLink(id: string): Promise<MediaTask | undefined>;
  list(ownerId: string, listing: TaskListing): Promise<TaskPage>;
  /**
   * Cancels a task. Always succeeds before submission; best effort after.
   * @throws GatewayError `video_not_found`; `task_final`
   */
  cancel(ownerId: string, id: string): Promise<MediaTask>;
  /** Deletes a task for its owner, after canceling it if it is open. @throws GatewayError `video_not_found` */
  remove(ownerId: string, id: string): Promise<void>;
  /** Returns the final task, or the current one after `timeoutMs` or when the signal aborts. */
  waitForEnd(task: MediaTask, timeoutMs: number, signal: AbortSignal): Promise<MediaTask>;
  /**
   * Yields each change of state or progress that clients see, once and in order, until the task's end. Continues
   * through a Redis outage. Ends early if the signal aborts or the task is deleted. Never throws.
   * @param after the revision of the last known change; 0 for none
   */
  follow(task: MediaTask, after: number, signal: AbortSignal): AsyncGenerator<TaskChange, void>;
  /** Brings the next poll forward after a client's read. Never throws. */
  pollSoon(task: MediaTask): void;
  /** Milliseconds after which the task may have changed. */
  pollAfterMs(task: MediaTask): number;
  operator: TaskOperator;
  stats(): Promise<TaskStats>;
  ready(): Promise<boolean>;
  close(): Promise<void>;
}
