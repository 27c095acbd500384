import type { TaskErrorCode } from '../gateway-error.ts';
import type { MediaKind } from './media-request.ts';

/**
 * The life of a media task.
 *
 * ```
 * queued → submitting → in_progress → finishing → completed
 *    │         │ └────→ submit_unknown → in_progress (adopted) | failed(submission_unknown)
 *    │         ├→ queued (definitely refused and retryable)
 *    │         └→ finishing | completed (made in the answer of a synchronous upstream)
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

/** One of {@link TASK_STATUSES}. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** States that nothing leaves. */
export type FinalStatus = 'completed' | 'failed' | 'canceled';

/** States in which something is still to be done. */
export type OpenStatus = Exclude<TaskStatus, FinalStatus>;

/** Every {@link OpenStatus}. */
export const OPEN_STATUSES: readonly OpenStatus[] = TASK_STATUSES.filter(
  (status): status is OpenStatus => !isFinal(status),
);

/** Tells whether a task in this state has ended. */
export function isFinal(status: TaskStatus): status is FinalStatus {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

/** The four words that video protocols show to the outside. */
export type PublicStatus = 'queued' | 'in_progress' | 'completed' | 'failed';

/** Folds the inner state to the word a client may see: published SDKs stop polling at any other word. */
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

/** Why a task failed: a stable code and a sanitised sentence for the client. */
export interface TaskError {
  code: TaskErrorCode;
  message: string;
}

/** A finished file in the content store. */
export interface StoredContent {
  /** Key in the content store. */
  key: string;
  bytes: number;
  /** Strong validator: the SHA-256 of the file in hexadecimal. */
  etag: string;
  mediaType: string;
  /** What the file says of its film; absent for images, and where it cannot be read. */
  video?: VideoFacts;
}

/** What an MP4 says of itself. */
export interface VideoFacts {
  durationMs: number;
  width: number;
  height: number;
  /** Frames per second, rounded. */
  fps: number;
}

/** One of the things that a task was to make: the file, or why there is none while others of the task are there. */
export interface TaskOutput {
  content?: StoredContent;
  error?: TaskError;
  /** The prompt as the vendor has rewritten it. */
  revisedPrompt?: string;
}

/** The server of a client that is told when its task has ended. */
export interface TaskCallback {
  /** Given by the client: only the guarded way out may call it. */
  url: string;
  /** What it is told: an event as webhooks have it, or the vendor's own callback. */
  shape: CallbackShape;
}

/** How a callback is spelled. */
export type CallbackShape = 'event' | 'provider-a';

/**
 * A media task as its record tells it. Times are Unix milliseconds.
 * The record is the truth; a queued job is only a wake-up.
 */
export interface MediaTask {
  /** `video_` or `image_` and a sortable, unguessable suffix. */
  id: string;
  kind: MediaKind;
  /** Name of the API key that made it; nobody else can see it. */
  ownerId: string;
  status: TaskStatus;
  /** Counts every write of the record. */
  revision: number;
  /** Counts the claims of workers; a write by an older claim is refused. */
  epoch: number;
  /** The model id that the client asked for. */
  model: string;
  /** Percentage 0–100; never falls, 100 only when the content can be fetched. */
  progress: number;
  /** Duration in seconds, as text. */
  seconds: string;
  /** `WIDTHxHEIGHT` where known. */
  size?: string;
  prompt?: string;
  createdAt: number;
  /** When the task must have left the queue, or, once accepted, have ended. */
  deadlineAt: number;
  completedAt?: number;
  /** When record and content are removed. */
  expiresAt?: number;
  error?: TaskError;
  /** What was made, in order; empty until `completed`. A video task has one. */
  outputs: TaskOutput[];
  /** The seed that was used, where known. */
  seed?: number;
  /** How the client of an image task wants its images. */
  delivery?: 'url' | 'b64_json';
  /** The client's own name of the task, unique among the tasks of its owner. */
  externalId?: string;
  /** The task that this one is a variation of. */
  remixedFrom?: string;
  /** Who is told of the end beside the owner's registered webhooks. */
  callback?: TaskCallback;
  /** The gateway as its client named it, `https://host:port`: where links in webhooks lead. Absent where it is configured. */
  origin?: string;
  /** The upstream account that the current attempt uses. */
  upstream: string;
  /** Index of the model's route that the current attempt uses. */
  route: number;
  /** The model's name at that upstream. */
  upstreamModel: string;
  /** The upstream's base URL when the current attempt began. */
  upstreamBaseUrl?: string;
  /** Submissions begun so far. */
  attempt: number;
  /** The vendor's id, once known. Never shown to clients. */
  upstreamId?: string;
  /** Whatever else the kind of upstream needs to find the job. */
  upstreamPath?: string;
  submittedAt?: number;
  acceptedAt?: number;
  polledAt?: number;
  polls: number;
  /** Poll answers in a row that could not be understood. */
  unclearPolls: number;
  /** When the next step is due. */
  dueAt?: number;
  cancelRequested: boolean;
  deleted: boolean;
}
