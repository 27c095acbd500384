import type { MediaTask } from '@sluice/canonical';
import type { BrowsedTasks, TaskBrowsing } from '../operator/browse-tasks.ts';
import type { AdmittedTask, NewTask, QueueChange, TaskChange, TaskListing, TaskPage } from '../engine/task-requests.ts';
import type { AccountCaps, TaskSettings } from '../store/task-settings.ts';
import type { TaskStats } from '../store/task-stats.ts';
import type { TaskOperator } from '../operator/task-operator.ts';

/**
 * Operations on media tasks for the API process. Every method throws `GatewayError('store_unavailable')` quickly while
 * Redis is unavailable. Other owners' tasks, deleted tasks, and expired tasks are treated as missing.
 */
export interface TaskEngine {
  /**
   * Records a task and wakes a worker. When this resolves, the task is stored durably. A request with the same
   * idempotency key and digest, or an SDK's retry, returns the existing task.
   * @throws GatewayError `idempotency_key_reused` for the same key with another digest; `invalid_request` for an
   * external id in use; `rate_limited` or `insufficient_quota` for the owner's limits
   */
  submit(newTask: NewTask): Promise<AdmittedTask>;
  /** Sets the owners' maximum numbers of running tasks; undefined means no limit. Admissions also set them. */
  capOwners(caps: ReadonlyMap<string, number | undefined>): Promise<void>;
  find(ownerId: string, id: string): Promise<MediaTask | undefined>;
  findByExternalId(ownerId: string, externalId: string): Promise<MediaTask | undefined>;
  /** Finds a task without checking its owner, for a signed link to its content. */
  findForLink(id: string): Promise<MediaTask | undefined>;
  list(ownerId: string, listing: TaskListing): Promise<TaskPage>;
  /** Lists tasks of both kinds, newest first. @throws GatewayError `invalid_request` for an invalid cursor */
  browse(browsing: TaskBrowsing): Promise<BrowsedTasks>;
  /**
   * Cancels a task. Before submission, this always succeeds. After that, it may fail.
   * @throws GatewayError `video_not_found`; `task_final`
   */
  cancel(ownerId: string, id: string): Promise<MediaTask>;
  /** Deletes a task for its owner. An open task is canceled first. @throws GatewayError `video_not_found` */
  remove(ownerId: string, id: string): Promise<void>;
  /**
   * Changes the order of a waiting task among those of its owner, or pauses or resumes it.
   * @throws GatewayError `not_found`; `task_conflict` if the task no longer waits
   */
  change(ownerId: string, id: string, change: QueueChange): Promise<MediaTask>;
  /** Pauses or resumes all waiting tasks of an owner, and those that follow. */
  pauseOwner(ownerId: string, paused: boolean): Promise<void>;
  isOwnerPaused(ownerId: string): Promise<boolean>;
  /** Returns the final task. After `timeoutMs` or an abort, returns the current task instead. */
  waitForEnd(task: MediaTask, timeoutMs: number, signal: AbortSignal): Promise<MediaTask>;
  /**
   * Yields each change of state or progress that clients see, once and in order, until the task ends. Continues after a
   * Redis outage. Stops early if the signal aborts or the task is deleted. Never throws.
   * @param after revision of the last known change; 0 if no change is known
   */
  follow(task: MediaTask, after: number, signal: AbortSignal): AsyncGenerator<TaskChange, void>;
  /** Calls `listener` with the id of each task that changes, until the returned function is called. May miss changes. */
  watch(listener: (id: string) => void): () => void;
  /** Makes the next poll earlier after a client's read. Never throws. */
  pollSoon(task: MediaTask): void;
  /** Returns the milliseconds after which a client should poll the task again. */
  pollAfterMs(task: MediaTask): number;
  operator: TaskOperator;
  stats(): Promise<TaskStats>;
  /** Applies a reloaded configuration to the next operations. */
  update(next: { accounts: Record<string, AccountCaps>; settings: TaskSettings }): void;
  ready(): Promise<boolean>;
  close(): Promise<void>;
}
