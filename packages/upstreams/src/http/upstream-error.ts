/**
 * What went wrong between us and an upstream.
 *
 * - `connect`: no connection came about: refused, no such name, TLS failure, connect time-out.
 * - `timeout`: silence for longer than allowed.
 * - `reset`: the connection ended before the answer did, or the answer was not HTTP.
 * - `aborted`: the caller's signal.
 * - `too_large`: the answer is longer than an answer may be.
 * - `source`: what we were to send could not be read, or was not as long as promised.
 */
export type UpstreamFailure = 'connect' | 'timeout' | 'reset' | 'aborted' | 'too_large' | 'source';

const SENTENCES: Record<UpstreamFailure, string> = {
  connect: 'The upstream could not be reached',
  timeout: 'The upstream did not answer in time',
  reset: 'The connection to the upstream broke',
  aborted: 'The call to the upstream was stopped',
  too_large: 'The upstream answered more than an answer may hold',
  source: 'What was to be sent could not be read',
};

/**
 * A call that brought no answer. The message may be shown to clients: it names no host; what the network said is in
 * `cause`, for logs alone.
 */
export class UpstreamError extends Error {
  readonly failure: UpstreamFailure;
  /** `no`: not one byte of the request left, asking again is safe. `maybe`: the upstream may have acted on it. */
  readonly sent: 'no' | 'maybe';

  constructor(failure: UpstreamFailure, sent: 'no' | 'maybe', cause?: unknown) {
    super(SENTENCES[failure], { cause });
    this.name = 'UpstreamError';
    this.failure = failure;
    this.sent = sent;
  }
}

/** The code of a system or library error (`ECONNREFUSED`, `UND_ERR_SOCKET` …), for logs; host names are not in it. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return errorCode(error.cause);
}
