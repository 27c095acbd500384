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
import type { Downloaded } from '../http/download.ts';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { SendableHeader } from '../http/http-headers.ts';
import type { Form } from '../http/multipart-body.ts';

/** One call of a vendor, before it is signed. */
export interface VendorCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL, from the slash on; may hold a query. */
  path: string;
  headers?: Partial<Record<SendableHeader, string>>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form, in place of `json`. */
  form?: Form;
  /** Longest silence, milliseconds; absent: `timeouts.submitMs` for a submission, else `timeouts.pollMs`. */
  timeoutMs?: number;
  /** Longest answer that is read, bytes; absent: 1 MiB. */
  maxResponseBytes?: number;
}

/** A call as it goes out, for those who sign it. */
export interface SignableCall {
  method: string;
  url: URL;
  /** The exact bytes; empty when there is no body. Absent for a form, which cannot be signed. */
  body?: Buffer;
}

/** Asks the vendor. @throws UpstreamError when no answer comes */
export type CallVendor = (call: VendorCall) => Promise<UpstreamResponse>;

/** What a wire opens a file with that is no URL of its polls. */
export interface ContentAccess {
  ask: CallVendor;
  /** The URL of a path below the base URL that accepted the job. */
  urlOf(path: string): string;
  /** Opens a URL, signed as {@link MediaWire.signsDownloads} says. @throws DownloadError */
  open(url: string, headers?: Partial<Record<SendableHeader, string>>): Promise<Downloaded>;
}

/**
 * How one vendor spells one kind of media: what {@link createMediaUpstream} makes a capability of. Nothing here touches
 * the network; readers turn every answer into an outcome and never throw.
 *
 * @typeParam R the wish
 * @typeParam P what will be asked for, as the vendor counts it
 */
export interface MediaWire<R extends MediaRequest, P extends Review = Review> {
  /**
   * Works out what will be asked for. Called by the review before anything is recorded, and once more for the
   * submission, with the same result.
   * @throws {UnsupportedParamsError} for what the model cannot do and what would change the meaning if left out
   */
  plan(model: string, request: R, report: MediaLossReport): P;
  /** The POST that submits. Nothing has been sent when it throws. @throws {ImageError} */
  submission(params: MediaSubmission<R>, plan: P): VendorCall | Promise<VendorCall>;
  /** Reads the vendor's answer to a submission, whatever its status. */
  readSubmission(response: UpstreamResponse, params: MediaSubmission<R>, plan: P): SubmitOutcome;
  /** The path that a job of this plan is found under, where that depends on more than its id. */
  jobPath?(plan: P): string | undefined;
  /** Absent where everything is made in the answer to the submission. */
  poll?(job: UpstreamJob): VendorCall;
  /** Reads the vendor's answer to a poll, whatever its status; may ask once more for what the answer leaves out. */
  readPoll?(response: UpstreamResponse, job: UpstreamJob, ask: CallVendor): PollOutcome | Promise<PollOutcome>;
  /** Looks for a submission whose answer was lost; `plan` is what was asked for. */
  find?(params: MediaSubmission<R>, ask: CallVendor, plan: P): Promise<FindOutcome>;
  /** The call that cancels, or nothing for a job that cannot be; and how its answer is read, which may ask once more. */
  cancellation?: {
    call: (job: UpstreamJob) => VendorCall | undefined;
    read: (response: UpstreamResponse, job: UpstreamJob, ask: CallVendor) => CancelOutcome | Promise<CancelOutcome>;
  };
  /** Opens the file; absent: by the URL that the poll tells. May throw what its access throws. */
  openContent?(job: UpstreamJob, access: ContentAccess): Promise<ContentOutcome>;
  /** The file, where a poll's answer holds it instead of a URL. It never goes into an outcome: those are pinned. */
  inlineResult?(response: UpstreamResponse): Uint8Array | undefined;
  /** Whether result files at the account's own origin want its credential. Default no: their URLs are signed. */
  signsDownloads?: boolean;
  /**
   * Whether the vendor has surely refused a call for the time of its signature alone. Such a call is signed anew and
   * sent once more, a submission too: nothing has come of the first.
   */
  refusesSignatureTime?(response: UpstreamResponse): boolean;
}
