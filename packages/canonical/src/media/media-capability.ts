import type { TaskErrorCode } from '../errors/gateway-error.ts';
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
  /** Unique id of this attempt. Some vendors store it, so that a submission whose response was lost can be found. */
  reference: string;
  /** The model's name at the upstream. */
  model: string;
  request: R;
  /** Opened images, in the order of the request's `images`. */
  images: OpenedImage[];
  submittedAt: number;
  /** Headers that continue the task's trace at the upstream. Absent unless traces are exported. */
  traceHeaders?: Readonly<Record<string, string>>;
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
  /** The vendor's id. Empty if a synchronous upstream returned the output. */
  upstreamId: string;
  /** Vendor-specific data that is needed for polls. */
  path?: string;
  /** Unix milliseconds. A very recent job may not be visible to polls yet. */
  acceptedAt: number;
}

/** One output file of a job, or its error. Stored in the task record as JSON; never shown to clients. */
export interface JobOutput {
  /** If absent, the file is fetched by the job's id. */
  url?: string;
  error?: TaskError;
  revisedPrompt?: string;
}

export type IndexedOutput = JobOutput & { index: number };

export type ReturnedOutput = JobOutput & { bytes?: Uint8Array };

/**
 * Result of a submission. After `unknown`, the submission must never be repeated automatically, because the vendor may
 * have accepted it.
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
  /** A synchronous upstream returned the outputs. At least one of them succeeded. */
  | { kind: 'returned'; outputs: ReturnedOutput[] }
  | { kind: 'rejected'; code: TaskErrorCode; message: string }
  /** The request can be retried (429, 503, or connection refused). */
  | { kind: 'busy'; code: TaskErrorCode; message: string; retryAfterMs?: number }
  /** The account cannot serve requests (401, 403, or no balance). */
  | { kind: 'account'; code: 'provider_auth' | 'provider_quota'; message: string }
  /** The vendor may have accepted the request (timeout, reset, or 5xx after the body was sent). */
  | { kind: 'unknown'; message: string };

export type PollOutcome =
  | { kind: 'running'; progress?: number; retryAfterMs?: number }
  | {
      kind: 'succeeded';
      /** At least one output succeeded. If absent, the job has one file, which is fetched by the job's id. */
      outputs?: JobOutput[];
      seconds?: string;
      size?: string;
      seed?: number;
    }
  | { kind: 'failed'; code: TaskErrorCode; message: string }
  /** The response was invalid, or the upstream was unreachable. This never fails the task. */
  | { kind: 'unclear'; message: string; retryAfterMs?: number };

export interface CandidateJob {
  upstreamId: string;
  path?: string;
}

export type FindOutcome =
  /** Matching jobs. The caller adopts a job only if exactly one of them is unclaimed. */
  | {
      kind: 'candidates';
      jobs: CandidateJob[];
      /** Whether the jobs were identified by the attempt's unique reference and so cannot belong to other tasks. */
      certain?: boolean;
    }
  /** The vendor has no job for the submission, so submitting again is safe. */
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
   * The vendor refused the file, even with a new URL. Files can appear late and credentials can change, so the download
   * is retried a few times. Then the file is considered expired, or the task fails with `code`.
   */
  | { kind: 'denied'; code?: TaskErrorCode; message: string }
  /** The file can never be downloaded (e.g. because it is too large). The task fails with `code`. */
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
 * thrown. The caller's signal and the kind's timeouts limit each call.
 */
export interface MediaCapability<R extends MediaRequest = MediaRequest> {
  /** Base URL for new submissions. It is stored in the task record. */
  readonly baseUrl: string;
  /** A short identifier for the base URL and credential. It reveals neither of them. */
  readonly account: string;
  /**
   * Checks a request without I/O before anything is recorded, and predicts what {@link submit} will do.
   * @throws {UnsupportedParamsError} for a field that the vendor does not support and that cannot be dropped
   */
  review(model: string, request: R, report: MediaLossReport): Review;
  /** Returns the job's `UpstreamJob.path` if the request determines it. */
  jobPath?(model: string, request: R): string | undefined;
  submit(submission: MediaSubmission<R>, signal: AbortSignal, observe?: ObserveResponse): Promise<SubmitOutcome>;
  poll(job: UpstreamJob, signal: AbortSignal, observe?: ObserveResponse): Promise<PollOutcome>;
  /** @param output the file as reported by the poll or by the submission's response */
  openContent(job: UpstreamJob, output: IndexedOutput, signal: AbortSignal): Promise<ContentOutcome>;
  /** Searches for a submission with a lost response. Absent if the vendor offers no search. */
  find?(submission: MediaSubmission<R>, signal: AbortSignal, observe?: ObserveResponse): Promise<FindOutcome>;
  cancel?(job: UpstreamJob, signal: AbortSignal, observe?: ObserveResponse): Promise<CancelOutcome>;
}

export type VideoCapability = MediaCapability<VideoRequest>;
export type ImageCapability = MediaCapability<ImageRequest>;

export interface MediaCapabilities {
  video?: VideoCapability;
  image?: ImageCapability;
}
