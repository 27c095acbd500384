import { WireError } from '../../http/wire-error.ts';

/** What an OpenAI-style error says besides its message. */
export interface OpenAiErrorDetails {
  /** Default `invalid_request_error`. */
  type?: string;
  param?: string;
  code?: string;
  headers?: Record<string, string>;
}

/** An error as OpenAI answers it: `{error: {message, type, param, code}}`. */
export function openAiError(status: number, message: string, details: OpenAiErrorDetails = {}): WireError {
  const { type = 'invalid_request_error', param = null, code = null, headers } = details;
  return new WireError(status, message, () => ({ error: { message, type, param, code } }), headers);
}

/** A 400 for one parameter. */
export function invalidParameter(param: string, message: string, code?: string): WireError {
  return openAiError(400, message, { param, ...(code !== undefined && { code }) });
}
