import { GatewayError, UpstreamRefusalError } from '@sluice/canonical';
import { AttemptError, classifyRefusal, classifyReported } from './attempt-error.ts';
import { traced } from './failure-trace.ts';

/** A failed call, in text that a client may see. The network's own text stays in the cause. */
function upstreamFailure(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const details = { cause: error, retryable: true };
  switch (failureOf(error)) {
    case 'timeout':
      return new GatewayError('deadline_exceeded', 'The upstream did not respond in time.', details);
    case 'connect':
      return new GatewayError('provider_error', 'The upstream could not be reached.', details);
    case 'too_large':
      return new GatewayError('provider_error', "The upstream's response is larger than this gateway accepts.", {
        cause: error,
        retryable: false,
      });
    case 'reset':
    case 'aborted':
    case 'source':
      return new GatewayError('provider_error', 'The upstream broke off its response.', details);
    case undefined:
      return new GatewayError('internal_error', 'Internal error. Find its cause in the logs by the request id.', {
        cause: error,
      });
  }
}

/** The failure without what no client may see, such as the account's key, and without the vendor's body in the log. */
export function scrubbedFailure(error: unknown, scrub: (text: string) => string): GatewayError {
  const shown = upstreamFailure(error);
  const message = scrub(shown.message);
  return message === shown.message ? loggable(shown) : traced(shown, { message });
}

/** The failure of a call as the end of an attempt. */
export function failedAttempt(error: unknown): AttemptError {
  return error instanceof AttemptError ? error : classifyReported(loggable(upstreamFailure(error)));
}

/** The end of an attempt whose upstream may also throw refusals and `GatewayError`s of its own. */
export function attemptErrorOf(error: unknown): AttemptError {
  if (error instanceof UpstreamRefusalError) {
    return classifyRefusal(error.status, traced(error.error, { upstreamStatus: error.status }));
  }
  // Parameters that one upstream cannot carry, another may. It is not called with invalid ones.
  if (error instanceof GatewayError) {
    const source = error.status < 500 ? 'not-sent' : 'upstream';
    return new AttemptError({ error, mayRetry: true, countsAsFailure: false, source });
  }
  return failedAttempt(error);
}

/** An internal error keeps its cause: without it, the bug could not be found. */
function loggable(error: GatewayError): GatewayError {
  return error.cause === undefined || error.code === 'internal_error' ? error : traced(error);
}

type Failure = 'connect' | 'timeout' | 'reset' | 'aborted' | 'too_large' | 'source';

/** The `failure` of an `UpstreamError`; upstreams throw nothing else. */
function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || error.name !== 'UpstreamError' || !('failure' in error)) return undefined;
  return error.failure as Failure; // an UpstreamError's field
}
