import { type ErrorCode, GatewayError, retryAfterMs, UPSTREAM_MESSAGES } from '@sluice/canonical';
import type { z } from 'zod';
import type { UpstreamRefusal } from '../../contracts/text-protocol.ts';
import { vendorMessage } from '../../errors/vendor-message.ts';
import type { ErrorSchema } from './schema.ts';
import { asObject, asString, ownMember } from '../../json/values.ts';

export function encodeError(error: GatewayError): z.output<typeof ErrorSchema> {
  return {
    error: { message: error.message, type: errorType(error), param: error.param ?? null, code: wireCode(error.code) },
  };
}

/** Encodes the `error` object of a failed response. */
export function responseError(error: GatewayError): { code: string; message: string } {
  return { code: failureCode(error), message: error.message };
}

/** Codex stops on `context_length_exceeded`, waits on `server_is_overloaded`, and retries on other codes. */
function failureCode({ code, status }: GatewayError): string {
  if (code === 'provider_overloaded') return 'server_is_overloaded';
  if (code === 'provider_quota') return 'insufficient_quota';
  if (code === 'content_policy') return 'invalid_prompt';
  return status >= 500 ? 'server_error' : wireCode(code);
}

function wireCode(code: ErrorCode): string {
  return code === 'rate_limited' ? 'rate_limit_exceeded' : code;
}

function errorType({ code, status }: GatewayError): string {
  if (code === 'insufficient_quota') return code; // In OpenAI's API, this error has the same type and code.
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  // OpenAI also uses `invalid_request_error` for an invalid key.
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

export interface UpstreamFailure {
  /** Undefined inside a stream and in a failed response. */
  status?: number;
  code?: string;
  type?: string;
  message?: string;
  param?: string;
  retryAfterMs?: number;
}

export function decodeError({ status, headers, body }: UpstreamRefusal): GatewayError {
  const errorStatus = status >= 400 ? status : undefined;
  return failureError({ ...readFailure(body), status: errorStatus, retryAfterMs: retryAfter(headers) });
}

/** Reads `{error: {…}}`, `{error: "…"}`, `{detail: "…"}`, `{code, message}`, or plain text. */
export function readFailure(body: unknown): UpstreamFailure {
  const fields = asObject(body);
  if (!fields) return { message: asString(body) };
  const error = asObject(fields['error']) ?? fields;
  return {
    code: codeText(error['code']),
    type: asString(error['type']),
    message:
      asString(error['message']) ??
      asString(fields['error']) ??
      asString(fields['detail']) ??
      asString(fields['message']),
    param: asString(error['param']),
  };
}

/** Classifies a failure by its code, then by its status. A failure without a status is attributed to the upstream. */
export function failureError(failure: UpstreamFailure): GatewayError {
  const { param } = failure;
  const status = failure.status ?? statusIn(failure.code);
  const vendorText = vendorMessage(failure.message ?? '');
  const code = errorCode({ ...failure, status });
  const isPublic = !HIDDEN_CODES.has(code);
  const message = isPublic && vendorText !== '' ? vendorText : (DEFAULT_MESSAGES[code] ?? UPSTREAM_MESSAGES.failed);
  const isTransient = status === undefined || status >= 500 || status === 408;
  return new GatewayError(code, message, {
    param: isPublic && param !== undefined ? vendorMessage(param) : undefined,
    retryAfterMs: failure.retryAfterMs,
    retryable: code === 'provider_error' ? isTransient : undefined,
    cause: { status, code: failure.code, type: failure.type, message: vendorText },
  });
}

/** Some vendors send the HTTP status as the error's code. */
function statusIn(code: string | undefined): number | undefined {
  return code !== undefined && /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}

/** For these codes, the vendor's messages contain the gateway's account or the upstream's model name. */
const HIDDEN_CODES: ReadonlySet<ErrorCode> = new Set(['provider_auth', 'provider_quota', 'model_not_found']);

const DEFAULT_MESSAGES: Partial<Record<ErrorCode, string>> = {
  provider_auth: UPSTREAM_MESSAGES.credentialRejected,
  provider_quota: UPSTREAM_MESSAGES.quotaExhausted,
  provider_overloaded: UPSTREAM_MESSAGES.overloaded,
  rate_limited: UPSTREAM_MESSAGES.rateLimited,
  context_length_exceeded: "The request exceeds the model's context window.",
  content_policy: UPSTREAM_MESSAGES.requestBlocked,
  invalid_request: UPSTREAM_MESSAGES.rejected,
  model_not_found: UPSTREAM_MESSAGES.modelNotFound,
};

const BY_CODE: Readonly<Record<string, ErrorCode>> = {
  context_length_exceeded: 'context_length_exceeded',
  insufficient_quota: 'provider_quota',
  billing_hard_limit_reached: 'provider_quota',
  usage_not_included: 'provider_quota',
  rate_limit_exceeded: 'rate_limited',
  rate_limit_error: 'rate_limited',
  server_is_overloaded: 'provider_overloaded',
  slow_down: 'provider_overloaded',
  overloaded: 'provider_overloaded',
  overloaded_error: 'provider_overloaded',
  provider_overloaded: 'provider_overloaded',
  invalid_prompt: 'content_policy',
  content_policy_violation: 'content_policy',
  content_filter: 'content_policy',
  bio_policy: 'content_policy',
  misalignment_policy_violation: 'content_policy',
  image_content_policy_violation: 'content_policy',
  invalid_encrypted_content: 'invalid_encrypted_content',
  previous_response_not_found: 'previous_response_not_found',
  payload_too_large: 'payload_too_large',
  invalid_api_key: 'provider_auth',
  authentication_error: 'provider_auth',
  permission_error: 'provider_auth',
  model_not_found: 'model_not_found',
  DeploymentNotFound: 'model_not_found', // Azure
};

/** Codes for problems with a request's image (e.g. `invalid_image_url`, `image_too_large`, and `empty_image_file`). */
const IMAGE_CODE = /^(?:invalid_(?:base64_)?image|image_|empty_image|unsupported_image|failed_to_download_image)/;
const TOO_LONG = /context (?:length|window)|maximum context|prompt is too long|too many (?:input )?tokens/i;

function errorCode({ status, code, type, message = '' }: UpstreamFailure): ErrorCode {
  if (status === 401 || status === 403) return 'provider_auth';
  const known = ownMember(BY_CODE, code) ?? ownMember(BY_CODE, type);
  if (known) return known;
  if (code !== undefined && IMAGE_CODE.test(code)) return 'invalid_request';
  const isRefusal = status === undefined || status === 400 || status === 413 || status === 422;
  if (isRefusal && TOO_LONG.test(message)) return 'context_length_exceeded';
  // Servers of open models report this only in the message.
  if (status === 404 && /model/i.test(message)) return 'model_not_found';
  if (code === 'unsupported_parameter' && (status === undefined || status === 400 || status === 422)) return code;
  if (status === undefined) {
    return [code, type].some((text) => text?.startsWith('invalid_request')) ? 'invalid_request' : 'provider_error';
  }
  return errorCodeOfStatus(status);
}

function errorCodeOfStatus(status: number): ErrorCode {
  switch (status) {
    case 400:
    case 422:
      return 'invalid_request';
    case 402:
      return 'provider_quota';
    case 413:
      return 'payload_too_large';
    case 429:
      return 'rate_limited';
    case 503:
    case 529:
      return 'provider_overloaded';
    default:
      return 'provider_error';
  }
}

/** Reads `retry-after`, or OpenAI's headers with the time until a limit resets. */
function retryAfter(headers: UpstreamRefusal['headers']): number | undefined {
  return (
    retryAfterMs(headers) ??
    resetMs(headers['x-ratelimit-reset-requests']) ??
    resetMs(headers['x-ratelimit-reset-tokens'])
  );
}

/** Parses Go durations (e.g. `1s`, `6m0s`, and `20ms`). */
function resetMs(text: string | undefined): number | undefined {
  const parts = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)s)?(?:([\d.]+)ms)?$/.exec(text ?? ' ');
  if (!parts || text === '') return undefined;
  const [, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = parts;
  return Math.ceil(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(milliseconds));
}

function codeText(code: unknown): string | undefined {
  return typeof code === 'number' ? String(code) : asString(code);
}
