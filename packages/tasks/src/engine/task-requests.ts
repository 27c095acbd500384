import type { MediaKind, MediaRequest, MediaTask, TaskCallback } from '@sluice/canonical';
import type { TaskAllowance } from '../store/admission.ts';
import type { TaskTarget } from '../store/task-record.ts';
import type { TaskFilter } from './task-filter.ts';

export interface NewTask {
  ownerId: string;
  model: string;
  /** Routes of the model that support the request with their prices, best first. There is at least one. */
  targets: readonly TaskTarget[];
  request: MediaRequest;
  /** Requested duration. The upstream may report a different one. */
  seconds: string;
  /** Absent if the owner has no limits. */
  allowance?: TaskAllowance;
  /** Members of the task's ledger entry that the API knows, as a JSON object. */
  ledger?: string;
  /** The task id that the client chose. It is unique among the client's tasks. */
  externalId?: string;
  /** See {@link MediaTask}. */
  options?: Pick<MediaTask, 'user' | 'labels' | 'priority'>;
  /** URL to call when the task ends. */
  callback?: TaskCallback;
  /** See {@link MediaTask.trace}. */
  trace?: string;
  /** The origin that the client used to reach the gateway. */
  origin?: string;
  /** Name of the operation (e.g. `video.create`). An idempotency key is valid only within one operation. */
  operation: string;
  /** Hexadecimal SHA-256 of the request's fields and files, used to detect repeated requests. */
  digest: string;
  idempotencyKey?: string;
  /** `x-stainless-retry-count`: how often the SDK has already retried this request. */
  retryCount: number;
}

export interface AdmittedTask {
  task: MediaTask;
  replayed: boolean;
  /** Keys of stored images of a new task whose contents its owner has already. The caller removes them. */
  unusedInputs: readonly string[];
}

/** A change of a waiting task. Absent members stay as they are. */
export interface QueueChange {
  paused?: boolean | undefined;
  priority?: number | undefined;
}

export interface TaskPage {
  tasks: MediaTask[];
  /** The `after` of the next page; absent on the last page. Even a short or empty page may have a next page. */
  next?: string | undefined;
}

export interface TaskChange {
  /** Increases with each change. Clients can continue a stream after a revision. */
  revision: number;
  /** State and progress are from the time of the change. Other fields are current. */
  task: MediaTask;
}

export interface TaskListing {
  kind: MediaKind;
  /** The `next` of the previous page, or the id of any task. */
  after?: string | undefined;
  limit: number;
  order: 'asc' | 'desc';
  filter?: TaskFilter;
}
