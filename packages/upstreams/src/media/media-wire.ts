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
import type { ImageLimits } from '@sluice/vendors';
import type { Downloaded } from '../http/guarded/download.ts';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { SendableHeader } from '../http/http-headers.ts';
import type { Form } from '../http/multipart-body.ts';
import type { WireTools } from './wire-tools.ts';

/** One call to a vendor, before it is signed. */
export interface VendorCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL, with a leading slash; may contain a query. */
  path: string;
  headers?: Partial<Record<SendableHeader, string>>;
  json?: unknown;
  form?: Form;
  /** Max idle time, in milliseconds; absent: `timeouts.submitMs` for a submission, else `timeouts.pollMs`. */
  timeoutMs?: number;
  /** Max response size, in bytes; absent: 1 MiB. */
  maxResponseBytes?: number;
}

export interface SignableCall {
  method: string;
  url: URL;
  /** The exact bytes; empty without a body. Absent for a form, which cannot be signed. */
  body?: Buffer;
}

export type CallVendor = (call: VendorCall) => Promise<UpstreamResponse>;

export interface ContentAccess {
  send: CallVendor;
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
  imageFiles?: ImageLimits | ((plan: P) => ImageLimits);
  /** The POST that submits. If it throws, nothing was sent. @throws {ImageError} */
  submission(params: MediaSubmission<R>, plan: P, tools: WireTools): VendorCall | Promise<VendorCall>;
  readSubmission(response: UpstreamResponse, plan: P, tools: WireTools): SubmitOutcome;
  jobPath?(plan: P): string | undefined;
  poll?(job: UpstreamJob): VendorCall;
  /** Reads a response to a poll, of any status; may send another call for missing data. */
  readPoll?(
    response: UpstreamResponse,
    job: UpstreamJob,
    tools: WireTools,
    send: CallVendor,
  ): PollOutcome | Promise<PollOutcome>;
  find?(params: MediaSubmission<R>, send: CallVendor, plan: P, tools: WireTools): Promise<FindOutcome>;
  cancellation?: Cancellation;
  openContent?(job: UpstreamJob, access: ContentAccess, tools: WireTools): Promise<ContentOutcome>;
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

export interface Cancellation {
  call: (job: UpstreamJob) => VendorCall | undefined;
  /**
   * For vendors whose call deletes finished jobs with their files: the job is polled first, and the call is sent only
   * if this accepts the response.
   */
  isCancelable?: (body: unknown) => boolean;
  /** Reads the response; undefined: a poll decides. Absent: the status decides. */
  read?: (response: UpstreamResponse, job: UpstreamJob, tools: WireTools) => CancelOutcome | undefined;
}
