import type {
  CancelOutcome,
  ContentOutcome,
  FindOutcome,
  MediaLossReport,
  MediaRequest,
  MediaSubmission,
  PollOutcome,
  Review,
  SubmitOutcome,
  UpstreamJob,
} from '@sluice/canonical';
import type { Downloaded } from '../http/guarded/download.ts';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { SendableHeader } from '../http/http-headers.ts';
import type { Form } from '../http/multipart-body.ts';

/** One call to a vendor, before it is signed. */
export interface VendorCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL, with a leading slash; may contain a query. */
  path: string;
  headers?: Partial<Record<SendableHeader, string>>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form, instead of `json`. */
  form?: Form;
  /** Max idle time, in milliseconds; absent: `timeouts.submitMs` for a submission, else `timeouts.pollMs`. */
  timeoutMs?: number;
  /** Max response size, in bytes; absent: 1 MiB. */
  maxResponseBytes?: number;
}

/** A call as it is sent, for signers. */
export interface SignableCall {
  method: string;
  url: URL;
  /** The exact bytes; empty without a body. Absent for a form, which cannot be signed. */
  body?: Buffer;
}

/** Calls the vendor. @throws UpstreamError without a response */
export type CallVendor = (call: VendorCall) => Promise<UpstreamResponse>;

/** Opens files that have no URL in a poll. */
export interface ContentAccess {
  ask: CallVendor;
  /** The URL of a path below the base URL that accepted the job. */
  urlOf(path: string): string;
  /** Opens a URL, signed according to {@link MediaWire.signsDownloads}. @throws DownloadError */
  open(url: string, headers?: Partial<Record<SendableHeader, string>>): Promise<Downloaded>;
}

/**
 * How one vendor encodes one kind of media; {@link createMediaUpstream} turns it into a capability. It does not use the
 * network; readers map every response to an outcome and never throw.
 *
 * @typeParam R the request
 * @typeParam P the plan: the request in the vendor's units
 */
export interface MediaWire<R extends MediaRequest, P extends Review = Review> {
  /**
   * Plans the request. Called by the review before anything is recorded, and again for the submission, with the same
   * result.
   * @throws {UnsupportedParamsError} for unsupported fields that would change the meaning if dropped
   */
  plan(model: string, request: R, report: MediaLossReport): P;
  /** The POST that submits. If it throws, nothing was sent. @throws {ImageError} */
  submission(params: MediaSubmission<R>, plan: P): VendorCall | Promise<VendorCall>;
  /** Reads a response to a submission, of any status. */
  readSubmission(response: UpstreamResponse, params: MediaSubmission<R>, plan: P): SubmitOutcome;
  /** The path of a job with this plan, if it depends on more than its id. */
  jobPath?(plan: P): string | undefined;
  /** Absent if outputs are in the response to the submission. */
  poll?(job: UpstreamJob): VendorCall;
  /** Reads a response to a poll, of any status; may send another call for missing data. */
  readPoll?(response: UpstreamResponse, job: UpstreamJob, ask: CallVendor): PollOutcome | Promise<PollOutcome>;
  /** Looks up a submission whose response was lost. */
  find?(params: MediaSubmission<R>, ask: CallVendor, plan: P): Promise<FindOutcome>;
  /** The call that cancels, or undefined if the job cannot be canceled; and its reader, which may send another call. */
  cancellation?: {
    call: (job: UpstreamJob) => VendorCall | undefined;
    read: (response: UpstreamResponse, job: UpstreamJob, ask: CallVendor) => CancelOutcome | Promise<CancelOutcome>;
  };
  /** Opens the file; absent: uses the polled URL. May throw the errors of `access`. */
  openContent?(job: UpstreamJob, access: ContentAccess): Promise<ContentOutcome>;
  /** The file, if a poll response contains it inline. It is never in an outcome, because outcomes are pinned. */
  inlineResult?(response: UpstreamResponse): Uint8Array | undefined;
  /** Whether files at the account's own origin require its credential. Default false: their URLs are signed. */
  signsDownloads?: boolean;
  /**
   * Whether a call was refused only because of its signature's time. Such a call had no effect, so it is signed again
   * and retried once, even a submission.
   */
  refusesSignatureTime?(response: UpstreamResponse): boolean;
}
