import type { Failure } from './text-client.ts';

type ErrorClass = new (...args: never[]) => Error;

/** The error classes of one major version of the SDK. */
export interface AnthropicErrors {
  APIError: ErrorClass;
  APIUserAbortError: ErrorClass;
  APIConnectionError: ErrorClass;
  RateLimitError: ErrorClass;
  NotFoundError: ErrorClass;
  AuthenticationError: ErrorClass;
  BadRequestError: ErrorClass;
  InternalServerError: ErrorClass;
}

export function anthropicFailure(sdk: AnthropicErrors, error: unknown): Failure {
  if (error instanceof sdk.APIUserAbortError) return 'abort';
  if (error instanceof sdk.RateLimitError) return 'rate-limit';
  if (error instanceof sdk.NotFoundError) return 'not-found';
  if (error instanceof sdk.AuthenticationError) return 'authentication';
  if (error instanceof sdk.BadRequestError) return 'bad-request';
  if (error instanceof sdk.APIConnectionError) return 'other';
  if (!(error instanceof sdk.APIError)) return 'other';
  // Errors during a stream have no status.
  if (!('status' in error) || error.status === undefined) return 'in-stream';
  return error instanceof sdk.InternalServerError ? 'server' : 'other';
}
