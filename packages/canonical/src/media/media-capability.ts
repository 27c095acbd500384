import type { TaskErrorCode } from '../gateway-error.ts';
import type { ImageRequest, ImageRole, MediaLossReport, MediaRequest, VideoRequest } from './media-request.ts';
import type { TaskError } from './media-task.ts';

/** An input picture whose bytes are at hand: opened from the content store for one submission. */
export interface OpenedImage {
  role: ImageRole;
  mediaType: string;
  filename: string;
  bytes: number;
  /** Opens a fresh stream of the bytes. */
  open: () => Promise<AsyncIterable<Uint8Array>>;
}

/** What an upstream is asked to submit. */
export interface MediaSubmission<R extends MediaRequest = MediaRequest> {
  /** Our task id. */
  taskId: string;
  /**
   * Our name of this very attempt: told to vendors that take a client's reference, so that a lost answer can be traced.
   * A later attempt of the task has another.
   */
  reference: string;
  /** The model's name at the upstream. */
  model: string;
  /** The wish; the bytes of its `images` are those beside it, in the same order. */
  request: R;
  images: OpenedImage[];
  /** When the attempt began, Unix milliseconds. */
  submittedAt: number;
  /** For the look-up of a submission whose answer was lost. */
  lost?: {
    /** When it became clear that the answer would not come, Unix milliseconds. */
    since: number;
    /** {@link MediaCapability.account} when it was sent; absent: not known. */
    account?: string;
  };
}

/** A job that the upstream has accepted, as the record pins it. */
export interface UpstreamJob {
  taskId: string;
  model: string;
  /** The base URL that accepted it; stays the same when the configuration moves on. */
  baseUrl: string;
  /** The vendor's id; empty for what a synchronous upstream has made. */
  upstreamId: string;
  /** Whatever else the kind needs to ask for the job again, such as the path; the kind's own words. */
  path?: string;
  /** When it was accepted, Unix milliseconds: a job that is not found may be too young to be seen. */
  acceptedAt: number;
}

/** One of the files that a job has made, or why it has not. Pinned in the record as JSON; never shown to clients. */
export interface JobOutput {
  /** Where the vendor says it is; absent where the job itself is what is asked for it. */
  url?: string;
  /** This one has failed, while others of the job have not. */
  error?: TaskError;
  /** The prompt as the vendor has rewritten it. */
  revisedPrompt?: string;
}

/** A {@link JobOutput} as the record pins it, and which of the job's it is, from 0. */
export type PinnedOutput = JobOutput & { index: number };

/** One of the files that a synchronous upstream has made: its bytes, its URL, or why there is none. */
export type MadeOutput = JobOutput & { bytes?: Uint8Array };

/**
 * What a submission came to. Only `accepted`, `made` and the definite refusals say that the vendor's mind is known;
 * `unknown` must never lead to a second POST by itself.
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
  /** A synchronous upstream has made it in its answer; at least one of the outputs is no failure. */
  | { kind: 'made'; outputs: MadeOutput[] }
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
  | {
      kind: 'succeeded';
      /** At least one, and at least one that has not failed; absent: one file that the job's id alone leads to. */
      outputs?: JobOutput[];
      seconds?: string;
      size?: string;
      seed?: number;
    }
  | { kind: 'failed'; code: TaskErrorCode; message: string }
  /** Not understood, or the upstream could not be reached: never a failure of the task. */
  | { kind: 'unclear'; message: string; retryAfterMs?: number };

/** A vendor job that may be the one whose acceptance was lost. */
export interface FoundJob {
  upstreamId: string;
  /** {@link UpstreamJob.path} */
  path?: string;
}

/** What a look-up of a lost submission told. */
export type FindOutcome =
  /** Jobs that fit; the caller adopts one only when exactly one is unclaimed. */
  | {
      kind: 'candidates';
      jobs: FoundJob[];
      /** The jobs were found by the attempt's own reference, so that no other task's can be among them. */
      certain?: boolean;
    }
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

/** A finished file at the vendor, opened. */
export type ContentOutcome =
  | {
      kind: 'opened';
      body: AsyncIterable<Uint8Array>;
      /** From `content-length`, where told. */
      bytes?: number;
    }
  /** The vendor no longer has it. */
  | { kind: 'expired'; message: string }
  /**
   * Refused although its place was asked for anew: files appear late and keys are changed, so a few more tries are due. Then
   * the file counts as gone, or the task fails with `code`.
   */
  | { kind: 'denied'; code?: TaskErrorCode; message: string }
  /** It is there and can never be taken, as when it is larger than allowed: the task fails with this code. */
  | { kind: 'refused'; code: TaskErrorCode; message: string }
  | { kind: 'unclear'; message: string; retryAfterMs?: number };

/** What will be made of a wish, as far as it is known before it is submitted. */
export interface Review {
  /** The duration that the model will make, seconds as text. */
  seconds?: string;
}

/** What is worth noting of a vendor's answer, whatever came of it. */
export interface VendorResponse {
  httpStatus: number;
}

/** Is told of each answer that a vendor gives in the course of a call. */
export type ObserveResponse = (response: VendorResponse) => void;

/**
 * What a kind of upstream does for one kind of media. No call throws for what a vendor or the network does: every
 * outcome is a value. Each call is bounded in time by the caller's signal and the kind's own time-outs.
 */
export interface MediaCapability<R extends MediaRequest = MediaRequest> {
  /** Where submissions go now; pinned in the task's record. */
  readonly baseUrl: string;
  /** Whose account it is, short and not telling: another base URL or credential is another account. */
  readonly account: string;
  /**
   * Holds a wish against what the model can do, before anything is recorded. Quick and without I/O; says exactly what
   * {@link submit} will then do.
   * @throws {UnsupportedParamsError} for what the vendor cannot do and what would change the meaning if left out
   */
  review(model: string, request: R, report: MediaLossReport): Review;
  /** `UpstreamJob.path` of a job that came of this wish, where it follows from it. */
  jobPath?(model: string, request: R): string | undefined;
  submit(submission: MediaSubmission<R>, signal: AbortSignal, observe?: ObserveResponse): Promise<SubmitOutcome>;
  poll(job: UpstreamJob, signal: AbortSignal, observe?: ObserveResponse): Promise<PollOutcome>;
  /** @param output what the poll, or the submission's answer, told of the file */
  openContent(job: UpstreamJob, output: PinnedOutput, signal: AbortSignal): Promise<ContentOutcome>;
  /** Looks up a submission whose answer was lost. Absent where the vendor offers no way. */
  find?(submission: MediaSubmission<R>, signal: AbortSignal, observe?: ObserveResponse): Promise<FindOutcome>;
  cancel?(job: UpstreamJob, signal: AbortSignal, observe?: ObserveResponse): Promise<CancelOutcome>;
}

/** How an upstream makes videos. */
export type VideoCapability = MediaCapability<VideoRequest>;
/** How an upstream makes images. */
export type ImageCapability = MediaCapability<ImageRequest>;

/** What an account can make. */
export interface MediaCapabilities {
  video?: VideoCapability;
  image?: ImageCapability;
}
