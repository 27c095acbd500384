import { GatewayError } from '@sluice/canonical';
import { AttemptError } from '../routing/attempt-error.ts';

/** A call without an answer, in words that a client may see. The network's own words stay in the cause, for the log. */
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

/** The same without what no client may see, such as the account's key in a vendor's own words. */
export function scrubbedFailure(error: unknown, scrub: (text: string) => string): GatewayError {
  const shown = upstreamFailure(error);
  const message = scrub(shown.message);
  if (message === shown.message) return shown;
  const { code, param, retryAfterMs, retryable, cause } = shown;
  return new GatewayError(code, message, {
    retryable,
    cause: cause ?? error,
    ...(param !== undefined && { param }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** The same as the end of an attempt: another upstream may be asked, and the breaker counts it. */
export function failedAttempt(error: unknown): AttemptError {
  if (error instanceof AttemptError) return error;
  // A bug of ours says nothing about the upstream.
  const isOurs = !(error instanceof GatewayError) && failureOf(error) === undefined;
  return new AttemptError({ error: upstreamFailure(error), mayRetry: !isOurs, countsAsFailure: !isOurs });
}

type Failure = 'connect' | 'timeout' | 'reset' | 'aborted' | 'too_large' | 'source';

/** What `UpstreamError` says; upstreams throw nothing else. */
function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || error.name !== 'UpstreamError' || !('failure' in error)) return undefined;
  return error.failure as Failure; // an UpstreamError's field
}
