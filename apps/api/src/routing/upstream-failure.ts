import { GatewayError } from '@sluice/canonical';
import { AttemptError, classifyReported } from './attempt-error.ts';
import { traced } from './failure-trace.ts';

/** A call without an answer, in words that a client may see. The network's own words stay in the cause. */
function upstreamFailure(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const failure = failureOf(error);
  const details = { cause: error, retryable: true };
  switch (failure) {
    case 'timeout':
      return new GatewayError('deadline_exceeded', 'The upstream did not answer in time.', details);
    case 'connect':
      return new GatewayError('provider_error', 'The upstream could not be reached.', details);
    case 'too_large':
      return new GatewayError('provider_error', 'The upstream answered more than is taken here.', {
        cause: error,
        retryable: false,
      });
    case 'reset':
    case 'aborted':
    case 'source':
      return new GatewayError('provider_error', 'The upstream broke off its answer.', details);
    case undefined:
      return new GatewayError('internal_error', 'Something went wrong here. The request id finds it in the logs.', {
        cause: error,
      });
  }
}

/** The same without what no client may see, such as the account's key in a vendor's own words, and no log, its body. */
export function scrubbedFailure(error: unknown, scrub: (text: string) => string): GatewayError {
  const shown = upstreamFailure(error);
  const message = scrub(shown.message);
  return message === shown.message ? loggable(shown) : traced(shown, { message });
}

/** The same as the end of an attempt: whether another upstream may be asked, and whether the breaker counts it. */
export function failedAttempt(error: unknown): AttemptError {
  return error instanceof AttemptError ? error : classifyReported(loggable(upstreamFailure(error)));
}

/** A bug of ours keeps its cause: without its words it would not be found. */
function loggable(error: GatewayError): GatewayError {
  return error.cause === undefined || error.code === 'internal_error' ? error : traced(error);
}

type Failure = 'connect' | 'timeout' | 'reset' | 'aborted' | 'too_large' | 'source';

/** What `UpstreamError` says; upstreams throw nothing else. */
function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || error.name !== 'UpstreamError' || !('failure' in error)) return undefined;
  return error.failure as Failure; // an UpstreamError's field
}
