import { WireError } from '../../http/wire-error.ts';

export interface OpenAiErrorDetails {
  type?: string;
  param?: string;
  code?: string;
  headers?: Record<string, string>;
}

/** Formats `{error: {message, type, param, code}}`. */
export function openAiError(status: number, message: string, details: OpenAiErrorDetails = {}): WireError {
  const { type = 'invalid_request_error', param = null, code = null, headers } = details;
  return new WireError(status, message, () => ({ error: { message, type, param, code } }), headers);
}

export function invalidParameter(param: string, message: string, code?: string): WireError {
  return openAiError(400, message, { param, code });
}

export function invalidValue(param: string, message: string): WireError {
  return invalidParameter(param, message, 'invalid_value');
}

export function missingParameter(param: string): WireError {
  return invalidParameter(param, `Missing required parameter: '${param}'.`, 'missing_required_parameter');
}

export function throttledError(message: string): WireError {
  const headers = { 'retry-after': '1' };
  return openAiError(429, message, { type: 'requests', code: 'rate_limit_exceeded', headers });
}

export const SERVER_ERROR = 'The server had an error while processing your request. Sorry about that!';

export const OVERLOADED = openAiError(503, 'The engine is currently overloaded, please try again later.', {
  type: 'server_error',
  code: 'server_is_overloaded',
});

export const QUOTA_EXCEEDED = openAiError(
  429,
  'You exceeded your current quota, please check your plan and billing details.',
  { type: 'insufficient_quota', code: 'insufficient_quota' },
);
