import type { MediaKind, MediaRequest, MediaTask, TaskCallback } from '@sluice/canonical';
import type { TaskAllowance } from '../store/admission.ts';
import type { TaskTarget } from '../store/task-record.ts';

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
}

export interface TaskPage {
  tasks: MediaTask[];
  hasMore: boolean;
}

export interface TaskChange {
  /** Increases with each change. Clients can continue a stream after a revision. */
  revision: number;
  /** State and progress are from the time of the change. Other fields are current. */
  task: MediaTask;
}

export interface TaskListing {
  kind: MediaKind;
  /** Id of the last task of the previous page. */
  after?: string;
  limit: number;
  order: 'asc' | 'desc';
}
