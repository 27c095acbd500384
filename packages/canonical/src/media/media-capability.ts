import type { TaskErrorCode } from '../gateway-error.ts';
import type { ImageRequest, ImageRole, MediaLossReport, MediaRequest, VideoRequest } from './media-request.ts';
import type { TaskError } from './media-task.ts';

export interface OpenedImage {
  role: ImageRole;
  mediaType: string;
  filename: string;
  bytes: number;
  open: () => Promise<AsyncIterable<Uint8Array>>;
}

/** Times are Unix milliseconds. */
export interface MediaSubmission<R extends MediaRequest = MediaRequest> {
  taskId: string;
  /** Unique id of this attempt. Vendors that accept it can find a submission with a lost response. */
  reference: string;
  /** The name at the upstream. */
  model: string;
  request: R;
  /** In the order of the request's `images`. */
  images: OpenedImage[];
  submittedAt: number;
  /** Set if the response of this submission was lost. */
  lost?: {
    since: number;
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
  /** Vendor-specific data for polls. */
  path?: string;
  /** Unix milliseconds. A very recent job may not be visible yet. */
  acceptedAt: number;
}

/** One output file of a job, or its error. Stored in the task record as JSON; never shown to clients. */
export interface JobOutput {
  /** Absent: the file is fetched by the job's id. */
  url?: string;
  error?: TaskError;
  revisedPrompt?: string;
}

export type IndexedOutput = JobOutput & { index: number };

export type ReturnedOutput = JobOutput & { bytes?: Uint8Array };

/**
 * Result of a submission. After `unknown`, the submission must never be repeated automatically: the vendor may have
 * accepted it.
 */
export type SubmitOutcome =
  | {
      kind: 'accepted';
      upstreamId: string;
      path?: string;
      seconds?: string;
      size?: string;
      retryAfterMs?: number;
    }
  /** By a synchronous upstream; at least one output succeeded. */
  | { kind: 'returned'; outputs: ReturnedOutput[] }
  | { kind: 'rejected'; code: TaskErrorCode; message: string }
  /** Retryable: 429, 503, or connection refused. */
  | { kind: 'busy'; code: TaskErrorCode; message: string; retryAfterMs?: number }
  /** The account cannot serve requests: 401, 403, or no balance. */
  | { kind: 'account'; code: 'provider_auth' | 'provider_quota'; message: string }
  /** The vendor may have accepted it: time-out, reset, or 5xx after the body was sent. */
  | { kind: 'unknown'; message: string };

export type PollOutcome =
  | { kind: 'running'; progress?: number; retryAfterMs?: number }
  | {
      kind: 'succeeded';
      /** At least one succeeded. Absent: one file, fetched by the job's id. */
      outputs?: JobOutput[];
      seconds?: string;
      size?: string;
      seed?: number;
    }
  | { kind: 'failed'; code: TaskErrorCode; message: string }
  /** Invalid response, or the upstream was unreachable. Never fails the task. */
  | { kind: 'unclear'; message: string; retryAfterMs?: number };

export interface CandidateJob {
  upstreamId: string;
  path?: string;
}

export type FindOutcome =
  /** Matching jobs. The caller adopts one only if exactly one is unclaimed. */
  | {
      kind: 'candidates';
      jobs: CandidateJob[];
      /** The attempt's own reference identified them, so they cannot belong to other tasks. */
      certain?: boolean;
    }
  /** The vendor has no such job. Submitting again is safe. */
  | { kind: 'none' }
  | { kind: 'unclear'; message: string };

export type CancelOutcome =
  | { kind: 'canceled' }
  | { kind: 'too_late' }
  | { kind: 'unsupported' }
  | { kind: 'unclear'; message: string };

export type ContentOutcome =
  | {
      kind: 'opened';
      body: AsyncIterable<Uint8Array>;
      bytes?: number;
    }
  | { kind: 'expired'; message: string }
  /**
   * Refused, even with a new URL. Files can appear late and credentials can change, so the download is retried a few
   * times. Then the file counts as expired, or the task fails with `code`.
   */
  | { kind: 'denied'; code?: TaskErrorCode; message: string }
  /** The file can never be downloaded (e.g. it is too large). The task fails with `code`. */
  | { kind: 'refused'; code: TaskErrorCode; message: string }
  | { kind: 'unclear'; message: string; retryAfterMs?: number };

export interface Review {
  seconds?: string;
}

export interface VendorResponse {
  httpStatus: number;
}

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
   * Checks a request before anything is recorded, without I/O. Predicts what {@link submit} will do.
   * @throws {UnsupportedParamsError} for a field that the vendor does not support and that cannot be dropped
   */
  review(model: string, request: R, report: MediaLossReport): Review;
  /** `UpstreamJob.path` of a job, if it follows from the request. */
  jobPath?(model: string, request: R): string | undefined;
  submit(submission: MediaSubmission<R>, signal: AbortSignal, observe?: ObserveResponse): Promise<SubmitOutcome>;
  poll(job: UpstreamJob, signal: AbortSignal, observe?: ObserveResponse): Promise<PollOutcome>;
  /** @param output the file as reported by the poll or the submission's response */
  openContent(job: UpstreamJob, output: IndexedOutput, signal: AbortSignal): Promise<ContentOutcome>;
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
