import OpenAI from 'openai';
import type { Failure } from './text-client.ts';

/** Represents a response with the status `failed`, for which the SDK throws no error. */
export class FailedResponseError extends Error {}

export function openaiFailure(error: unknown): Failure {
  if (error instanceof OpenAI.APIUserAbortError) return 'abort';
  if (error instanceof OpenAI.RateLimitError) return 'rate-limit';
  if (error instanceof OpenAI.NotFoundError) return 'not-found';
  if (error instanceof OpenAI.AuthenticationError) return 'authentication';
  if (error instanceof OpenAI.BadRequestError) return 'bad-request';
  if (error instanceof OpenAI.InternalServerError) return 'server';
  if (error instanceof FailedResponseError) return 'in-stream';
  const inStream = error instanceof OpenAI.APIError && error.status === undefined;
  return inStream && !(error instanceof OpenAI.APIConnectionError) ? 'in-stream' : 'other';
}
