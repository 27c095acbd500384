import { ApiError } from '../../../api/client.ts';

/** Returns an error whose message can be shown. */
export function shownError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const isJson = error instanceof SyntaxError;
  const text = error instanceof Error && error.message !== '' ? error.message : 'The request failed.';
  const message = isJson ? 'The response contains invalid JSON. The raw view shows it.' : text;
  return new ApiError(message, { status: 0, code: 'playground', param: undefined, requestId: undefined });
}
