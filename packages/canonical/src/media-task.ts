import type { TaskErrorCode } from './gateway-error.ts';

/**
 * The life of a media task.
 *
 * ```
 * queued → submitting → in_progress → finishing → completed
 *    │         │ └────→ submit_unknown → in_progress (adopted) | failed(submission_unknown)
 *    │         └→ queued (definitely refused and retryable)
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

/** The finished file in the content store. */
export interface StoredContent {
  /** Key in the content store. */
  key: string;
  bytes: number;
  /** Strong validator: the SHA-256 of the file in hexadecimal. */
  etag: string;
  mediaType: string;
}

/**
 * A media task as its record tells it. Times are Unix milliseconds.
 * The record is the truth; a queued job is only a wake-up.
 */
export interface MediaTask {
  /** `video_` and a sortable, unguessable suffix. */
  id: string;
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
  content?: StoredContent;
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
