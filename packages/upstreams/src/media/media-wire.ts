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

/** A call to a vendor, before it is signed. */
export interface VendorCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base URL, with a leading slash. May include a query. */
  path: string;
  headers?: Partial<Record<SendableHeader, string>>;
  json?: unknown;
  form?: Form;
  /** Maximum idle time in milliseconds. Default: `timeouts.submitMs` for a submission, otherwise `timeouts.pollMs`. */
  timeoutMs?: number;
  /** Maximum response size in bytes. The default is 1 MiB. */
  maxResponseBytes?: number;
}

export interface SignableCall {
  method: string;
  url: URL;
  /** The exact bytes of the body; empty if there is no body. Absent for a form, which cannot be signed. */
  body?: Buffer;
}

export type CallVendor = (call: VendorCall) => Promise<UpstreamResponse>;

export interface ContentAccess {
  send: CallVendor;
  urlOf(path: string): string;
  /** Opens a URL. The request is signed if {@link MediaWire.signsDownloads} is set. @throws DownloadError */
  open(url: string, headers?: Partial<Record<SendableHeader, string>>): Promise<Downloaded>;
}

/**
 * Encodes and decodes a vendor's calls for one kind of media. {@link createMediaUpstream} turns it into a capability.
 * It uses the network only through `send`. Its readers map every response to an outcome and never throw.
 *
 * @typeParam R the request
 * @typeParam P the plan, i.e. the request in the vendor's units
 */
export interface MediaWire<R extends MediaRequest, P extends Review = Review> {
  /**
   * Plans the request. It is called during review, before anything is recorded, and again for the submission. Both
   * calls return the same plan.
   * @throws {UnsupportedParamsError} for unsupported fields whose omission would change the meaning
   */
  plan(model: string, request: R, report: MediaLossReport): P;
  imageFiles?: ImageLimits | ((plan: P) => ImageLimits);
  /** Builds the POST of the submission. If this throws, nothing is sent. @throws {ImageError} */
  submission(params: MediaSubmission<R>, plan: P, tools: WireTools): VendorCall | Promise<VendorCall>;
  readSubmission(response: UpstreamResponse, plan: P, tools: WireTools): SubmitOutcome;
  jobPath?(plan: P): string | undefined;
  poll?(job: UpstreamJob): VendorCall;
  /** Reads a poll response with any status. May send another call for missing data. */
  readPoll?(
    response: UpstreamResponse,
    job: UpstreamJob,
    tools: WireTools,
    send: CallVendor,
  ): PollOutcome | Promise<PollOutcome>;
  find?(params: MediaSubmission<R>, send: CallVendor, plan: P, tools: WireTools): Promise<FindOutcome>;
  cancellation?: Cancellation;
  openContent?(job: UpstreamJob, access: ContentAccess, tools: WireTools): Promise<ContentOutcome>;
  /** Returns the file if a poll response contains it. Outcomes do not contain files, because outcomes are stored. */
  inlineResult?(response: UpstreamResponse): Uint8Array | undefined;
  /**
   * Whether files at the account's own origin require its credential. The default is false, because most file URLs are
   * already signed.
   */
  signsDownloads?: boolean;
  /**
   * Whether a call was rejected only because of its signature's timestamp. Such a call had no effect, so it is signed
   * again and retried once, even if it is a submission.
   */
  refusesSignatureTime?(response: UpstreamResponse): boolean;
}

export interface Cancellation {
  call: (job: UpstreamJob) => VendorCall | undefined;
  /**
   * For vendors whose cancel call also deletes finished jobs and their files. The job is polled first, and the cancel
   * call is sent only if this function returns true for the poll's response.
   */
  isCancelable?: (body: unknown) => boolean;
  /**
   * Reads the cancel call's response. If it returns undefined, a poll decides the outcome. If this function is absent,
   * the HTTP status decides.
   */
  read?: (response: UpstreamResponse, job: UpstreamJob, tools: WireTools) => CancelOutcome | undefined;
}
