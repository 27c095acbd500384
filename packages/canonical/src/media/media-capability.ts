import type { TaskErrorCode } from '../gateway-error.ts';
import type { ImageRequest, ImageRole, MediaLossReport, MediaRequest, VideoRequest } from './media-request.ts';
import type { TaskError } from './media-task.ts';

/** An input image, opened from the content store for one submission. */
export interface OpenedImage {
  role: ImageRole;
  mediaType: string;
  filename: string;
  bytes: number;
  open: () => Promise<AsyncIterable<Uint8Array>>;
}

export interface MediaSubmission<R extends MediaRequest = MediaRequest> {
  /** Sluice's task id. */
  taskId: string;
  /**
   * Sluice's unique name of this attempt. Vendors that accept a client reference receive it, so that a submission with
   * a lost response can be found.
   */
  reference: string;
  /** The model's name at the upstream. */
  model: string;
  /** Its `images` are in the same order as {@link images}. */
  request: R;
  images: OpenedImage[];
  /** When the attempt started, Unix milliseconds. */
  submittedAt: number;
  /** Set if the submission's response was lost. */
  lost?: {
    /** When the response was given up, Unix milliseconds. */
    since: number;
    /** {@link MediaCapability.account} of the submission; absent: unknown. */
    account?: string;
  };
}

/** A job that the upstream has accepted, as stored in the task record. */
export interface UpstreamJob {
  taskId: string;
  model: string;
  /** The base URL that accepted the job. Later configuration changes do not affect it. */
  baseUrl: string;
  /** The vendor's id; empty for output that a synchronous upstream returned. */
  upstreamId: string;
  /** Vendor-specific data needed to poll the job, such as a path. */
  path?: string;
  /** When it was accepted, Unix milliseconds. A very recent job may not be visible yet. */
  acceptedAt: number;
}

/** One output file of a job, or its error. Stored in the task record as JSON; never shown to clients. */
export interface JobOutput {
  /** The vendor's URL; absent if the file is fetched by the job's id. */
  url?: string;
  /** Set if this output failed and others did not. */
  error?: TaskError;
  /** The prompt as rewritten by the vendor. */
  revisedPrompt?: string;
}

/** A {@link JobOutput} in the task record, with its position in the job. */
export type PinnedOutput = JobOutput & { index: number };

/** An output of a synchronous upstream: bytes, URL, or error. */
export type MadeOutput = JobOutput & { bytes?: Uint8Array };

/**
 * Result of a submission. After `unknown`, the submission must never be repeated automatically: the vendor may have
 * accepted it.
 */
export type SubmitOutcome =
  | {
      kind: 'accepted';
      upstreamId: string;
      /** {@link UpstreamJob.path} */
      path?: string;
      seconds?: string;
      size?: string;
      retryAfterMs?: number;
    }
  /** A synchronous upstream returned the outputs; at least one succeeded. */
  | { kind: 'made'; outputs: MadeOutput[] }
  /** The request is invalid. A retry would be rejected, too. */
  | { kind: 'rejected'; code: TaskErrorCode; message: string }
  /** Not accepted, and retryable: 429, 503, or connection refused. */
  | { kind: 'busy'; code: TaskErrorCode; message: string; retryAfterMs?: number }
  /** The account cannot serve requests: 401, 403, or no balance. */
  | { kind: 'account'; code: 'provider_auth' | 'provider_quota'; message: string }
  /** The vendor may have accepted it: time-out, reset, or 5xx after the body was sent. */
  | { kind: 'unknown'; message: string };

export type PollOutcome =
  | { kind: 'running'; progress?: number; retryAfterMs?: number }
  | {
      kind: 'succeeded';
      /** At least one that succeeded. Absent: one file, fetched by the job's id. */
      outputs?: JobOutput[];
      seconds?: string;
      size?: string;
      seed?: number;
    }
  | { kind: 'failed'; code: TaskErrorCode; message: string }
  /** Invalid response, or the upstream was unreachable. Never fails the task. */
  | { kind: 'unclear'; message: string; retryAfterMs?: number };

/** A vendor job that may belong to a submission with a lost response. */
export interface FoundJob {
  upstreamId: string;
  /** {@link UpstreamJob.path} */
  path?: string;
}

/** Result of the search for a submission with a lost response. */
export type FindOutcome =
  /** Matching jobs. The caller adopts one only if exactly one is unclaimed. */
  | {
      kind: 'candidates';
      jobs: FoundJob[];
      /** The jobs were found by the attempt's own reference, so they cannot belong to other tasks. */
      certain?: boolean;
    }
  /** The vendor has no such job. Submitting again is safe. */
  | { kind: 'none' }
  | { kind: 'unclear'; message: string };

export type CancelOutcome =
  | { kind: 'canceled' }
  /** The job had already finished; fetch the result. */
  | { kind: 'too_late' }
  /** The vendor has no cancellation. */
  | { kind: 'unsupported' }
  | { kind: 'unclear'; message: string };

export type ContentOutcome =
  | {
      kind: 'opened';
      body: AsyncIterable<Uint8Array>;
      /** From `content-length`, if present. */
      bytes?: number;
    }
  /** The vendor has deleted the file. */
  | { kind: 'expired'; message: string }
  /**
   * Refused even after a new URL was requested. Files can appear late and credentials can change, so the download is
   * retried a few times. Then the file counts as expired, or the task fails with `code`.
   */
  | { kind: 'denied'; code?: TaskErrorCode; message: string }
  /** The file can never be downloaded, e.g. because it is too large. The task fails with `code`. */
  | { kind: 'refused'; code: TaskErrorCode; message: string }
  | { kind: 'unclear'; message: string; retryAfterMs?: number };

/** The output to expect, as far as known before the submission. */
export interface Review {
  /** Duration in seconds, as text. */
  seconds?: string;
}

/** Facts about a vendor's response, for logs and metrics. */
export interface VendorResponse {
  httpStatus: number;
}

/** Called for each vendor response during a call. */
export type ObserveResponse = (response: VendorResponse) => void;

/**
 * Operations of an upstream kind for one kind of media. Vendor and network failures are returned as outcomes, never
 * thrown. The caller's signal and the kind's own time-outs bound each call.
 */
export interface MediaCapability<R extends MediaRequest = MediaRequest> {
  /** Base URL for new submissions; stored in the task record. */
  readonly baseUrl: string;
  /** Short identifier that reveals nothing. Another base URL or credential is another account. */
  readonly account: string;
  /**
   * Checks a request against the model before anything is recorded. Runs without I/O and predicts what {@link submit}
   * will do.
   * @throws {UnsupportedParamsError} for a field that the vendor does not support and that cannot be dropped
   */
  review(model: string, request: R, report: MediaLossReport): Review;
  /** `UpstreamJob.path` of a job, if it follows from the request. */
  jobPath?(model: string, request: R): string | undefined;
  submit(submission: MediaSubmission<R>, signal: AbortSignal, observe?: ObserveResponse): Promise<SubmitOutcome>;
  poll(job: UpstreamJob, signal: AbortSignal, observe?: ObserveResponse): Promise<PollOutcome>;
  /** @param output the file as reported by the poll or the submission's response */
  openContent(job: UpstreamJob, output: PinnedOutput, signal: AbortSignal): Promise<ContentOutcome>;
  /** Searches for a submission with a lost response. Absent if the vendor has no way to search. */
  find?(submission: MediaSubmission<R>, signal: AbortSignal, observe?: ObserveResponse): Promise<FindOutcome>;
  cancel?(job: UpstreamJob, signal: AbortSignal, observe?: ObserveResponse): Promise<CancelOutcome>;
}

export type VideoCapability = MediaCapability<VideoRequest>;
export type ImageCapability = MediaCapability<ImageRequest>;

export interface MediaCapabilities {
  video?: VideoCapability;
  image?: ImageCapability;
}
