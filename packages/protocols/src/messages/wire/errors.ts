import { type ErrorCode, GatewayError, retryAfterMs, UPSTREAM_MESSAGES, statusMessage } from '@sluice/canonical';
import type { z } from 'zod';
import type { UpstreamRefusal } from '../../contracts/text-protocol.ts';
import { vendorMessage } from '../../errors/vendor-message.ts';
import { isRecord } from '../../json/is-record.ts';
import type { MessagesErrorSchema } from './schema.ts';
import { asString, objectOrEmpty, ownMember } from '../../json/values.ts';

/** Claude Code compacts the conversation if an error message starts with this text. */
const TOO_LONG = 'prompt is too long';

/**
 * Encodes an error as Anthropic does. The type depends on the HTTP status, except for `overloaded_error`: the gateway
 * sends 503 where Anthropic sends 529. SDKs retry both.
 */
export function encodeError(error: GatewayError, requestId?: string): z.output<typeof MessagesErrorSchema> {
  return {
    type: 'error',
    error: { type: errorType(error), message: errorMessage(error), details: { error_code: error.code } },
    request_id: requestId,
  };
}

function errorMessage({ code, message }: GatewayError): string {
  if (code !== 'context_length_exceeded' || message.startsWith(TOO_LONG)) return message;
  return `${TOO_LONG}: ${message}`;
}

function errorType({ code, status }: GatewayError): string {
  if (code === 'provider_overloaded') return 'overloaded_error';
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 409:
      return 'conflict_error';
    case 413:
      return 'request_too_large';
    case 429:
      return 'rate_limit_error';
    case 504:
      return 'timeout_error';
    default:
      return status >= 500 ? 'api_error' : 'invalid_request_error';
  }
}

/** Error codes by error type. Errors inside a stream or a response with status 200 have only a type. */
const TYPE_CODES: Readonly<Record<string, ErrorCode>> = {
  invalid_request_error: 'invalid_request',
  authentication_error: 'provider_auth',
  billing_error: 'provider_quota',
  permission_error: 'provider_auth',
  not_found_error: 'model_not_found',
  request_too_large: 'payload_too_large',
  rate_limit_error: 'rate_limited',
  timeout_error: 'deadline_exceeded',
  overloaded_error: 'provider_overloaded',
  api_error: 'provider_error',
};

const STATUS_CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'provider_auth',
  402: 'provider_quota',
  403: 'provider_auth',
  404: 'model_not_found',
  408: 'deadline_exceeded',
  413: 'payload_too_large',
  422: 'invalid_request',
  429: 'rate_limited',
  503: 'provider_overloaded',
  504: 'deadline_exceeded',
  529: 'provider_overloaded',
};

/**
 * Decodes an upstream's error. The type takes precedence over the status. If both are missing, the message is used.
 * Messages about the gateway's account and the upstream's model name are replaced.
 */
export function decodeError({ status, headers, body }: UpstreamRefusal): GatewayError {
  const outer = objectOrEmpty(body);
  const error = isRecord(outer['error']) ? outer['error'] : outer;
  const type = asString(error['type']);
  const message = vendorMessage(asString(error['message']) ?? '');
  const details = asString(objectOrEmpty(error['details'])['error_code']);
  const known = ownMember(TYPE_CODES, type) ?? STATUS_CODES[status];
  const code = refine(known ?? (status < 400 ? undefined : 'provider_error'), message, details);
  return new GatewayError(code, publicMessage(code, message, status), {
    retryAfterMs: retryAfterMs(headers),
    retryable: code === 'provider_error' ? status < 400 || status >= 500 || status === 409 : undefined,
    cause: body,
  });
}

/** Detects causes that only the message reveals. @param code undefined if type and status are unknown */
function refine(code: ErrorCode | undefined, message: string, details: string | undefined): ErrorCode {
  if (/spend_limit|billing/.test(details ?? '')) return 'provider_quota';
  // The message's thread is unknown, not the model.
  if (details === 'thread_not_found') return 'not_found';
  if (code !== undefined && code !== 'invalid_request') return code;
  if (/prompt is too long|exceed[s]? (the )?context (limit|window)|context window/i.test(message)) {
    return 'context_length_exceeded';
  }
  if (/invalid .?signature.? in .?thinking.? block/i.test(message)) return 'invalid_encrypted_content';
  if (/credit balance is too low/i.test(message)) return 'provider_quota';
  return /content filtering policy/i.test(message) ? 'content_policy' : (code ?? 'provider_error');
}

function publicMessage(code: ErrorCode, message: string, status: number): string {
  if (code === 'provider_auth') return UPSTREAM_MESSAGES.credentialRejected;
  if (code === 'provider_quota') return UPSTREAM_MESSAGES.quotaExhausted;
  if (code === 'model_not_found') return UPSTREAM_MESSAGES.modelNotFound;
  if (message !== '') return message;
  return status < 400 ? UPSTREAM_MESSAGES.failed : statusMessage(status);
}
