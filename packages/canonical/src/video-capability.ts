import type { TaskErrorCode } from './gateway-error.ts';
import type { VideoRequest } from './video-request.ts';

/** An input picture whose bytes are at hand: opened from the content store for one submission. */
export interface OpenedImage {
  role: 'first_frame' | 'last_frame' | 'reference';
  mediaType: string;
  filename: string;
  bytes: number;
  /** Opens a fresh stream of the bytes. */
  open: () => Promise<AsyncIterable<Uint8Array>>;
}

/** What an upstream is asked to submit. */
export interface VideoSubmission {
  /** Our task id: told to vendors that take a client reference, so that a lost answer can be traced. */
  taskId: string;
  /** The model's name at the upstream. */
  model: string;
  /** The wish; its `images` are the opened ones beside it. */
  request: VideoRequest;
  images: OpenedImage[];
  /** When the attempt began, Unix milliseconds. */
  submittedAt: number;
}

/** A job that the upstream has accepted. */
export interface UpstreamJob {
  taskId: string;
  model: string;
  /** The base URL that accepted it; stays the same when the configuration moves on. */
  baseUrl: string;
  /** The vendor's id. */
  upstreamId: string;
}

/**
 * What a submission came to. Only `accepted` and the two definite refusals say that the vendor's mind is known;
 * `unknown` must never lead to a second POST by itself.
 */
export type SubmitOutcome =
  | { kind: 'accepted'; upstreamId: string; seconds?: string; size?: string; retryAfterMs?: number }
  /** The request itself is refused: another try would be refused as well. */
  | { kind: 'rejected'; code: TaskErrorCode; message: string }
  /** Definitely not accepted, and it may be tried again: 429, 503, connection refused. */
  | { kind: 'busy'; code: TaskErrorCode; message: string; retryAfterMs?: number }
  /** This account cannot serve: 401, 403, no balance. */
  | { kind: 'account'; code: 'provider_auth' | 'provider_quota'; message: string }
  /** The vendor may or may not have accepted: time-out, reset or 5xx after the body was sent. */
  | { kind: 'unknown'; message: string };

/** What a poll told. */
export type PollOutcome =
  | { kind: 'running'; progress?: number; retryAfterMs?: number }
  | { kind: 'succeeded'; seconds?: string; size?: string; expiresAt?: number }
  | { kind: 'failed'; code: TaskErrorCode; message: string }
  /** Not understood, or the upstream could not be reached: never a failure of the task. */
  | { kind: 'unclear'; message: string; retryAfterMs?: number };

/** A vendor job that may be the one whose acceptance was lost. */
export interface FoundJob {
  upstreamId: string;
}

/** What a look-up of a lost submission told. */
export type FindOutcome =
  /** Jobs that fit; the caller adopts one only when exactly one is unclaimed. */
  | { kind: 'candidates'; jobs: FoundJob[] }
  /** The vendor surely has no such job: submitting again is safe. */
  | { kind: 'none' }
  | { kind: 'unclear'; message: string };

/** What a cancellation came to. */
export type CancelOutcome =
  | { kind: 'canceled' }
  /** The vendor had finished already: fetch the result. */
  | { kind: 'too_late' }
  /** The vendor offers no cancellation. */
  | { kind: 'unsupported' }
  | { kind: 'unclear'; message: string };

/** The finished file at the vendor, opened. */
export type ContentOutcome =
  | {
      kind: 'opened';
      body: AsyncIterable<Uint8Array>;
      /** From `content-length`, where told. */
      bytes?: number;
    }
  /** The vendor no longer has it. */
  | { kind: 'expired'; message: string }
  /** It is there and can never be taken, as when it is larger than allowed: the task fails with this code. */
  | { kind: 'refused'; code: TaskErrorCode; message: string }
  | { kind: 'unclear'; message: string; retryAfterMs?: number };

/**
 * What a kind of upstream does for videos. No call throws for what a vendor or the network does: every outcome is a
 * value. Each call is bounded in time by the caller's signal and the kind's own time-outs.
 */
export interface VideoCapability {
  /** Where submissions go now; pinned in the task's record. */
  readonly baseUrl: string;
  submit(submission: VideoSubmission, signal: AbortSignal): Promise<SubmitOutcome>;
  poll(job: UpstreamJob, signal: AbortSignal): Promise<PollOutcome>;
  openContent(job: UpstreamJob, signal: AbortSignal): Promise<ContentOutcome>;
  /** Looks up a submission whose answer was lost. Absent where the vendor offers no way. */
  find?(submission: VideoSubmission, signal: AbortSignal): Promise<FindOutcome>;
  cancel?(job: UpstreamJob, signal: AbortSignal): Promise<CancelOutcome>;
}
