import type { TaskErrorCode } from '../gateway-error.ts';
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

/** The four statuses of the public video protocols. */
export type PublicStatus = 'queued' | 'in_progress' | 'completed' | 'failed';

/** Maps a task status to its public value. Published SDKs stop polling at any other value. */
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

/** Why a task failed: a stable code and a client-safe sentence. */
export interface TaskError {
  code: TaskErrorCode;
  message: string;
}

export interface StoredContent {
  key: string;
  bytes: number;
  /** Strong validator: hexadecimal SHA-256 of the file. */
  etag: string;
  mediaType: string;
  /** Metadata read from the video; absent for images and unreadable files. */
  video?: VideoFacts;
}

/** Metadata of an MP4 file. */
export interface VideoFacts {
  durationMs: number;
  width: number;
  height: number;
  /** Frames per second, rounded. */
  fps: number;
}

/** One output of a task: the file, or its error while other outputs succeeded. */
export interface TaskOutput {
  content?: StoredContent;
  error?: TaskError;
  /** The prompt as rewritten by the vendor. */
  revisedPrompt?: string;
}

/** A client's server that is notified when its task ends. */
export interface TaskCallback {
  /** A client's URL. Only the SSRF-guarded client may call it. */
  url: string;
  /** Body format: a webhook event, or the vendor's own callback. */
  shape: CallbackShape;
}

export type CallbackShape = 'event' | 'provider-a';

/**
 * A media task as stored in its record. Times are Unix milliseconds. The record is the truth; a queued job is only a
 * wake-up.
 */
export interface MediaTask {
  /** `video_` or `image_` and a sortable, unguessable suffix. */
  id: string;
  kind: MediaKind;
  /** Name of the API key that created the task; no other key can see it. */
  ownerId: string;
  status: TaskStatus;
  /** Increments with every write of the record. */
  revision: number;
  /** Increments with every claim by a worker. Writes with an older epoch are rejected. */
  epoch: number;
  /** The model id in the client's request. */
  model: string;
  /** Percentage, 0–100. It never falls, and reaches 100 only when the content can be downloaded. */
  progress: number;
  /** Duration in seconds, as text. */
  seconds: string;
  /** `WIDTHxHEIGHT` where known. */
  size?: string;
  prompt?: string;
  createdAt: number;
  /** Until then the task must leave the queue or, once accepted, end. */
  deadlineAt: number;
  completedAt?: number;
  /** When record and content are deleted. */
  expiresAt?: number;
  error?: TaskError;
  /** In order; empty until `completed`. A video task has one. */
  outputs: TaskOutput[];
  /** The seed used, if known. */
  seed?: number;
  /** How the client of an image task wants its images. */
  delivery?: 'url' | 'b64_json';
  /** The client's own task id, unique per owner. */
  externalId?: string;
  /** The task that this one remixes. */
  remixedFrom?: string;
  /** Receives the end of the task in addition to the owner's registered webhooks. */
  callback?: TaskCallback;
  /** The gateway's origin in the client's request, for links in webhooks. Absent if it is configured. */
  origin?: string;
  /** The upstream account of the current attempt. */
  upstream: string;
  /** Index of the current attempt's route in the model. */
  route: number;
  /** The model's name at that upstream. */
  upstreamModel: string;
  /** The upstream's base URL when the current attempt started. */
  upstreamBaseUrl?: string;
  /** Submissions started so far. */
  attempt: number;
  /** The vendor's job id, once known. Never shown to clients. */
  upstreamId?: string;
  /** Vendor-specific data needed to find the job. */
  upstreamPath?: string;
  submittedAt?: number;
  acceptedAt?: number;
  polledAt?: number;
  polls: number;
  /** Consecutive polls with an invalid response. */
  unclearPolls: number;
  /** When the next step is due. */
  dueAt?: number;
  cancelRequested: boolean;
  deleted: boolean;
}
