import { UPSTREAM_FAILURES } from '@sluice/canonical';
/**
 * Why a call to an upstream failed.
 *
 * - `connect`: no connection (e.g. refused, unknown host, TLS failure, connect timeout).
 * - `timeout`: the idle time was exceeded.
 * - `reset`: the connection closed before the response was complete, or the response was not HTTP.
 * - `aborted`: the caller's signal was aborted.
 * - `too_large`: the response exceeds the limit.
 * - `credential`: the account's identity has no valid credential, so the upstream was not called.
 * - `source`: the request body could not be read or did not have its declared length.
 */
export type UpstreamFailure = 'connect' | 'timeout' | 'reset' | 'aborted' | 'too_large' | 'credential' | 'source';

const SENTENCES: Record<UpstreamFailure, string> = {
  connect: UPSTREAM_FAILURES.unreachable,
  timeout: UPSTREAM_FAILURES.timedOut,
  reset: UPSTREAM_FAILURES.incomplete,
  aborted: 'The call to the upstream was aborted.',
  too_large: UPSTREAM_FAILURES.tooLarge,
  credential: UPSTREAM_FAILURES.noCredential,
  source: 'The request body could not be read.',
};

/**
 * A call without a usable response. Clients may see the message, which contains no host names. `cause` contains the
 * network error, for logs only.
 */
export class UpstreamError extends Error {
  readonly failure: UpstreamFailure;
  /** `no`: no byte was sent, so a retry is safe. `maybe`: the upstream may have processed the request. */
  readonly sent: 'no' | 'maybe';

  constructor(failure: UpstreamFailure, sent: 'no' | 'maybe', cause?: unknown) {
    super(SENTENCES[failure], { cause });
    this.name = 'UpstreamError';
    this.failure = failure;
    this.sent = sent;
  }
}

/** Returns a system or library error's code (e.g. `ECONNREFUSED`) for logs. It contains no host name. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return errorCode(error.cause);
}
