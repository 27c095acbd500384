import { GatewayError, UpstreamRefusalError, UPSTREAM_MESSAGES } from '@sluice/canonical';
import { internalError } from '../http/gateway-error-of.ts';
import { AttemptError, classifyRefusal, classifyReported } from './attempt-error.ts';
import { traced } from './failure-trace.ts';

function upstreamFailure(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const details = { cause: error, retryable: true };
  switch (failureOf(error)) {
    case 'timeout':
      return new GatewayError('deadline_exceeded', UPSTREAM_MESSAGES.timedOut, details);
    case 'connect':
      return new GatewayError('provider_error', UPSTREAM_MESSAGES.unreachable, details);
    case 'too_large':
      return new GatewayError('provider_error', UPSTREAM_MESSAGES.tooLarge, {
        cause: error,
        retryable: false,
      });
    case 'credential':
      return new GatewayError('provider_auth', UPSTREAM_MESSAGES.noCredential, details);
    case 'reset':
    case 'aborted':
    case 'source':
      return new GatewayError('provider_error', UPSTREAM_MESSAGES.incomplete, details);
    case undefined:
      return internalError(error);
  }
}

/** Converts the error of an upstream for the client. @param scrub removes secrets and addresses from its message */
export function scrubbedFailure(error: unknown, scrub: (text: string) => string): GatewayError {
  const shown = upstreamFailure(error);
  const message = scrub(shown.message);
  return message === shown.message ? loggable(shown) : traced(shown, { message });
}

/** Converts an error that was thrown after a request was sent. */
export function failedAttempt(error: unknown): AttemptError {
  if (error instanceof AttemptError) return error;
  const failure = loggable(upstreamFailure(error));
  // The upstream was not called, so its state is unknown.
  if (failureOf(error) === 'credential')
    return new AttemptError({ error: failure, mayRetry: true, countsAsFailure: false });
  return classifyReported(failure);
}

/** Converts any error of a call, and decides whether another upstream may serve the request. */
export function attemptErrorOf(error: unknown): AttemptError {
  if (error instanceof UpstreamRefusalError) {
    const { status, isFinal } = error;
    const failure = traced(error.error, {
      upstreamStatus: status,
      ...(isFinal && status >= 500 && { retryable: false }),
    });
    return classifyRefusal(status, failure, isFinal);
  }
  // The parameters are valid, but this upstream does not support them. Another upstream may.
  if (error instanceof GatewayError) {
    const source = error.status < 500 ? 'not-sent' : 'upstream';
    return new AttemptError({ error, mayRetry: true, countsAsFailure: false, source });
  }
  return failedAttempt(error);
}

/** An internal error keeps its cause, which is needed to find the bug. */
function loggable(error: GatewayError): GatewayError {
  return error.cause === undefined || error.code === 'internal_error' ? error : traced(error);
}

type Failure = 'connect' | 'timeout' | 'reset' | 'aborted' | 'too_large' | 'credential' | 'source';

function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || error.name !== 'UpstreamError' || !('failure' in error)) return undefined;
  return error.failure as Failure;
}
