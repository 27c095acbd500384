import type { MediaKind, MediaRequest, MediaTask, TaskCallback } from '@sluice/canonical';
import type { TaskAllowance } from '../store/admission.ts';
import type { TaskTarget } from '../store/task-record.ts';

export interface NewTask {
  ownerId: string;
  model: string;
  /** Routes of the model that support the request, best first; at least one. */
  targets: readonly TaskTarget[];
  request: MediaRequest;
  /** Requested duration; the upstream may report another one. */
  seconds: string;
  /** Absent: the owner has no limits. */
  allowance?: TaskAllowance;
  /** The client's own task id, unique among its tasks. */
  externalId?: string;
  /** URL to notify when the task ends. */
  callback?: TaskCallback;
  /** The origin that the client used to reach the gateway. */
  origin?: string;
  /** Name of the operation (e.g. `video.create`); an idempotency key is valid for one operation. */
  operation: string;
  /** Hexadecimal SHA-256 of the request's fields and files, to detect repeats. */
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
  /** Grows with each change; a position to resume from. */
  revision: number;
  /** State and progress are those of the change; other fields are current. */
  task: MediaTask;
}

export interface TaskListing {
  kind: MediaKind;
  /** Id of the last task of the previous page. */
  after?: string;
  limit: number;
  order: 'asc' | 'desc';
}
