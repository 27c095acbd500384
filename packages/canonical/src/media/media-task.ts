import type { TaskErrorCode } from '../errors/gateway-error.ts';
import type { MediaKind } from './media-request.ts';

/**
 * Life cycle of a media task.
 *
 * ```
 * queued → submitting → in_progress → finishing → completed
 *    │         │ └────→ submit_unknown → in_progress (adopted) | failed(submission_unknown)
 *    │         ├→ queued (refused and retryable)
 *    │         └→ finishing | completed (returned by a synchronous upstream)
 *    └→ canceled          in_progress → canceling → canceled | finishing (too late)
 * any open → failed(code)      any open past its deadline → failed(deadline_exceeded)
 * ```
 */
export const TASK_STATUSES = [
  'queued',
  'submitting',
  'submit_unknown',
  'in_progress',
  'finishing',
  'canceling',
  'completed',
  'failed',
  'canceled',
] as const;

export type TaskStatus = (typeof TASK_STATUSES)[number];

export type FinalStatus = 'completed' | 'failed' | 'canceled';

export type OpenStatus = Exclude<TaskStatus, FinalStatus>;

export const OPEN_STATUSES: readonly OpenStatus[] = TASK_STATUSES.filter(
  (status): status is OpenStatus => !isFinal(status),
);

export function isFinal(status: TaskStatus): status is FinalStatus {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

export type PublicStatus = 'queued' | 'in_progress' | 'completed' | 'failed';

/** Maps a status to a status that clients see. Published SDKs stop polling if they receive any other status. */
export function publicStatus(status: TaskStatus): PublicStatus {
  switch (status) {
    case 'queued':
    case 'submitting':
    case 'submit_unknown':
      return 'queued';
    case 'in_progress':
    case 'finishing':
    case 'canceling':
      return 'in_progress';
    case 'completed':
      return 'completed';
    case 'failed':
    case 'canceled':
      return 'failed';
  }
}

export interface TaskError {
  code: TaskErrorCode;
  message: string;
}

export interface StoredContent {
  key: string;
  bytes: number;
  /** Hexadecimal SHA-256 of the file. */
  etag: string;
  mediaType: string;
  /** Absent for images and unreadable files. */
  video?: VideoFacts;
}

export interface VideoFacts {
  durationMs: number;
  width: number;
  height: number;
  fps: number;
}

export interface TaskOutput {
  content?: StoredContent;
  error?: TaskError;
  revisedPrompt?: string;
}

export interface TaskCallback {
  /** Only the SSRF-guarded client may call it. */
  url: string;
  shape: CallbackShape;
}

export type CallbackShape = 'event' | 'provider-a';

/**
 * A media task as stored in its record. Times are Unix milliseconds. Only the record determines a task's state; a job
 * in the queue merely wakes a worker.
 */
export interface MediaTask {
  /** `video_` or `image_`, followed by a sortable, unguessable suffix. */
  id: string;
  kind: MediaKind;
  /** Name of the API key that created the task. Other keys cannot see the task. */
  ownerId: string;
  status: TaskStatus;
  revision: number;
  /** Increments with every claim by a worker. Writes with an older epoch are rejected. */
  epoch: number;
  model: string;
  /** Percentage, 0–100. It never decreases, and reaches 100 only when the content can be downloaded. */
  progress: number;
  seconds: string;
  /** As `WIDTHxHEIGHT`, if known. */
  size?: string;
  prompt?: string;
  createdAt: number;
  /** The time by which the task must leave the queue or, after its acceptance, must end. */
  deadlineAt: number;
  completedAt?: number;
  expiresAt?: number;
  error?: TaskError;
  /** Outputs in order; empty until `completed`. A video task has one output. */
  outputs: TaskOutput[];
  seed?: number;
  delivery?: 'url' | 'b64_json';
  /** The task id that the client chose, unique per owner. */
  externalId?: string;
  remixedFrom?: string;
  /** The client's own user for whom the task is. */
  user?: string;
  /** Labels that the client has chosen. */
  labels?: Readonly<Record<string, string>>;
  /** Tasks with a higher number leave the owner's queue first. Absent for 0. */
  priority?: number;
  /** The owner has paused the waiting task. */
  paused?: true;
  /** Callback for this task, in addition to the owner's registered webhooks. */
  callback?: TaskCallback;
  /** The trace that continues in the task's steps, as `packages/telemetry` encodes it. */
  trace?: string;
  /** The gateway's origin in the client's request, used for links in webhooks. Absent if an origin is configured. */
  origin?: string;
  upstream: string;
  route: number;
  upstreamModel: string;
  /** The upstream's base URL at the start of the attempt. */
  upstreamBaseUrl?: string;
  attempt: number;
  /** The vendor's job id. Never shown to clients. */
  upstreamId?: string;
  /** See {@link UpstreamJob.path}. */
  upstreamPath?: string;
  submittedAt?: number;
  acceptedAt?: number;
  polledAt?: number;
  polls: number;
  unclearPolls: number;
  dueAt?: number;
  /** Why the task does not continue although its next step is due. Never shown to clients. */
  waitingReason?: 'storage_unavailable';
  cancelRequested: boolean;
  deleted: boolean;
  /** The cost of the ended task in nano-dollars. Absent if its price is unknown. */
  costNanos?: number;
  /** The ended task has a cost, but its price is unknown. */
  unpriced?: true;
}
