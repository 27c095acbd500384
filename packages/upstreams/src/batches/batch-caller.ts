import type { Readable } from 'node:stream';
import { type VendorSubmission, VendorResultsGoneError } from '@sluice/canonical';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import { bodyTimeoutMs } from '../http/body-timeout.ts';
import type { UpstreamBody, UpstreamResponse } from '../http/fetch-upstream.ts';
import { DownloadError } from '../http/guarded/download-error.ts';
import { cappedRetryAfterMs } from '../http/retry-after.ts';
import { discard } from '../http/send-request.ts';
import { UpstreamError } from '../http/upstream-error.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { decisionOfStatus, isSuccess } from '../media/outcomes/decision.ts';
import { type SignCall, urlBelow, vendorCaller } from '../media/vendor-caller.ts';

type Failed = Exclude<VendorSubmission, { kind: 'accepted' }>;
type Unsubmitted = Exclude<Failed, { kind: 'unclear' }>;

/** A call whose body is not in memory. */
interface StreamedCall {
  path: string;
  body: UpstreamBody;
  headers: Readonly<Record<string, string>>;
}

/** The minimum timeout of a call. Vendors check all requests before they respond to a submission. */
const MIN_TIMEOUT_MS = 60_000;
/** The statuses of vendors for a cancellation of a batch that has ended or does not exist. */
const HAS_ENDED: ReadonlySet<number> = new Set([400, 404, 409]);

/** Calls the batch API of an account, below its base URL. */
export interface BatchCaller {
  /** @param batchId identifies the call in the vendor's logs. @throws {UpstreamError} */
  send(call: VendorCall, batchId: string, signal: AbortSignal): Promise<UpstreamResponse>;
  /** Sends a body of any size. @throws {UpstreamError} */
  post(call: StreamedCall, batchId: string, signal: AbortSignal): Promise<UpstreamResponse>;
  /** @param path of the cancellation. @throws Error unless the batch was canceled or has ended */
  cancel(path: string, batchId: string, signal: AbortSignal): Promise<void>;
  /**
   * Opens a file below the base URL. The credential is sent only to its origin.
   * @throws {VendorResultsGoneError} if it does not exist or is too large. @throws Error if the call can be repeated
   */
  open(path: string, signal: AbortSignal): Promise<Readable>;
  /** Calls an endpoint that creates nothing that costs. @param read returns undefined for an unusable response */
  prepare<T>(call: () => Promise<UpstreamResponse>, read: (body: unknown) => T | undefined): Promise<T | Unsubmitted>;
  /** Calls the endpoint that creates a batch. @param read returns undefined for an unusable response */
  submit<T>(call: () => Promise<UpstreamResponse>, read: (body: unknown) => T | undefined): Promise<T | Failed>;
}

export function createBatchCaller(account: UpstreamAccount, context: UpstreamContext, sign: SignCall): BatchCaller {
  const { timeouts, now } = context;
  const caller = vendorCaller(account, context, sign, () => false);

  async function attempt<T>(
    call: () => Promise<UpstreamResponse>,
    read: (body: unknown) => T | undefined,
  ): Promise<T | Failed> {
    try {
      const { status, headers, body } = await call();
      const reason = `HTTP ${status}`;
      if (status >= 200 && status < 300) return read(body) ?? { kind: 'unclear', reason: `${reason} without an id` };
      // Anthropic reports an overload with 529.
      switch (decisionOfStatus(status === 529 ? 503 : status)) {
        case 'busy':
        case 'unavailable':
          return { kind: 'postponed', reason, retryAfterMs: cappedRetryAfterMs(headers, now()) };
        case 'unknown':
          return { kind: 'unclear', reason };
        case 'invalid':
        case 'moderated':
        case 'credential':
        case 'balance':
          return { kind: 'refused', reason };
      }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      return { kind: error.sent === 'no' ? 'postponed' : 'unclear', reason: error.failure };
    }
  }

  const timeoutOf = (bytes?: number) => Math.max(bodyTimeoutMs(timeouts.submitMs, bytes), MIN_TIMEOUT_MS);

  function send(call: VendorCall, batchId: string, signal: AbortSignal): Promise<UpstreamResponse> {
    const bytes = call.form?.files.reduce((sum, file) => sum + file.bytes, 0);
    const timeoutMs = timeoutOf(bytes);
    return caller.send(call, { taskId: batchId, baseUrl: account.base_url, timeoutMs, signal });
  }

  return {
    send,
    post: ({ path, body, headers }, batchId, signal) => {
      const url = urlBelow(account.base_url, path);
      return context.fetchUpstream({
        method: 'POST',
        url,
        headers: sign({ method: 'POST', url }),
        ownHeaders: { ...headers, ...account.headers },
        body,
        taskId: batchId,
        timeoutMs: timeoutOf(body.kind === 'stream' ? body.bytes : undefined),
        signal,
      });
    },
    async cancel(path, batchId, signal) {
      const { status } = await send({ method: 'POST', path }, batchId, signal);
      if (isSuccess(status) || HAS_ENDED.has(status)) return;
      throw new Error(`the cancellation of a batch responded with HTTP ${status}`);
    },
    async open(path, signal) {
      const url = urlBelow(account.base_url, path);
      const credentials = caller.signDownload(url);
      const { status, body } = await context.download(url.href, { credentials, signal }).catch((error: unknown) => {
        if (error instanceof DownloadError && error.failure === 'too_large')
          throw new VendorResultsGoneError('too large');
        throw error;
      });
      if (status === 200) return body;
      discard(body);
      if (status === 404 || status === 410) throw new VendorResultsGoneError(`HTTP ${status}`);
      throw new Error(`the results of a batch responded with HTTP ${status}`);
    },
    submit: attempt,
    async prepare(call, read) {
      const outcome = await attempt(call, read);
      // A repeated call costs nothing.
      return isUnclear(outcome) ? { kind: 'postponed', reason: outcome.reason } : outcome;
    },
  };
}

function isUnclear(outcome: unknown): outcome is { kind: 'unclear'; reason: string } {
  return typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === 'unclear';
}
