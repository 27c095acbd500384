import {
  type ErrorCode,
  GatewayError,
  retryAfterMs as retryAfterOf,
  UPSTREAM_MESSAGES,
  statusMessage,
} from '@sluice/canonical';
import type { UpstreamRefusal } from '../../contracts/text-protocol.ts';
import { vendorMessage } from '../../errors/vendor-message.ts';
import { isRecord } from '../../json/is-record.ts';
import { amount } from '../../json/amount.ts';
import { type JsonObject, asNonEmptyString, objectOrEmpty } from '../../json/values.ts';
import { records } from '../wire/proto-json.ts';

/** An error of Google's APIs. */
interface GoogleError {
  /** The HTTP status, or 0 if unknown. */
  status: number;
  /** Google's status name (e.g. `INVALID_ARGUMENT`). Empty if the body is not one of Google's errors. */
  statusName: string;
  /** Whether the body has the format of Google's errors, with a status name or a number. */
  isGoogleError: boolean;
  message: string;
  details: JsonObject[];
}

interface Classification {
  code: ErrorCode;
  message: string;
  retryable?: boolean;
}

/**
 * Decodes an upstream's error. Problems with the gateway's account become `provider_auth` or `provider_quota`. The
 * vendor's message reaches the client, without links, only if the client can act on it.
 */
export function decodeError({ status, headers, body }: UpstreamRefusal): GatewayError {
  const error = readError(status, body);
  const { code, message, retryable } = classify(error);
  const retryAfterMs = retryDelay(error.details) ?? retryAfterOf(headers);
  return new GatewayError(code, message, { cause: body, retryAfterMs, retryable });
}

function classify(error: GoogleError): Classification {
  const { status, statusName, message, isGoogleError } = error;
  if (isKeyError(error)) {
    return { code: 'provider_auth', message: UPSTREAM_MESSAGES.credentialRejected };
  }
  if (/token count.*exceed|exceeds? the maximum number of (?:input )?tokens|context (?:length|window)/i.test(message)) {
    return { code: 'context_length_exceeded', message: publicMessage(message) };
  }
  if (statusName === 'RESOURCE_EXHAUSTED' || status === 429) return classifyExhausted(message);
  if (statusName === 'UNAVAILABLE' || status === 503) {
    return { code: 'provider_overloaded', message: UPSTREAM_MESSAGES.overloaded };
  }
  if (statusName === 'DEADLINE_EXCEEDED' || status === 504 || status === 408) {
    return { code: 'deadline_exceeded', message: UPSTREAM_MESSAGES.timedOut };
  }
  if (statusName === 'FAILED_PRECONDITION') return classifyPrecondition(message);
  if (status === 404 || statusName === 'NOT_FOUND') return classifyNotFound(statusName, message);
  if (status === 413) {
    return {
      code: 'payload_too_large',
      message: 'The request is too large for the upstream. Send less in one request.',
    };
  }
  if (REQUEST_STATUSES.has(statusName) || (status >= 400 && status < 500 && isGoogleError)) {
    const isPolicy = /prohibited|blocked by|safety/i.test(message);
    return { code: isPolicy ? 'content_policy' : 'invalid_request', message: publicMessage(message) };
  }
  const plain = status === 0 ? UPSTREAM_MESSAGES.failed : statusMessage(status);
  return { code: 'provider_error', message: plain, retryable: status === 0 || status >= 500 };
}

function isKeyError({ status, statusName, message, details }: GoogleError): boolean {
  if (status === 401 || status === 403) return true;
  if (statusName === 'UNAUTHENTICATED' || statusName === 'PERMISSION_DENIED') return true;
  const isInvalidKey = details.some(({ reason }) => asNonEmptyString(reason)?.startsWith('API_KEY_'));
  return isInvalidKey || /api key (?:not valid|not found|expired)/i.test(message);
}

function classifyExhausted(message: string): Classification {
  if (/prepa(?:y|id)|credits? (?:are|is) depleted|spend(?:ing)? (?:cap|limit)|billing account/i.test(message)) {
    return { code: 'provider_quota', message: UPSTREAM_MESSAGES.quotaExhausted };
  }
  return { code: 'rate_limited', message: UPSTREAM_MESSAGES.rateLimited };
}

/**
 * Google uses `FAILED_PRECONDITION` for accounts and regions without access. Another Sluice gateway uses it for content
 * policy violations.
 */
function classifyPrecondition(message: string): Classification {
  if (/billing|free (?:tier|quota)/i.test(message))
    return { code: 'provider_quota', message: UPSTREAM_MESSAGES.accessDenied };
  if (/policy|safety|prohibited/i.test(message)) return { code: 'content_policy', message: publicMessage(message) };
  return { code: 'provider_error', message: UPSTREAM_MESSAGES.accessDenied };
}

function classifyNotFound(statusName: string, message: string): Classification {
  if (statusName === '')
    return {
      code: 'provider_error',
      message: "The upstream does not have this endpoint. Contact the gateway's operator.",
    };
  if (/model/i.test(message)) return { code: 'model_not_found', message: UPSTREAM_MESSAGES.modelNotFound };
  return { code: 'invalid_request', message: publicMessage(message) };
}

/** Statuses that mean an invalid request regardless of the HTTP status. */
const REQUEST_STATUSES: ReadonlySet<string> = new Set(['INVALID_ARGUMENT', 'OUT_OF_RANGE']);

/**
 * Without `alt=sse`, the error is inside an array. An error inside a response has only its own numeric code and no HTTP
 * status.
 */
function readError(status: number, body: unknown): GoogleError {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const error = objectOrEmpty(isRecord(first) ? first['error'] : undefined);
  const statusName = asNonEmptyString(error['status']) ?? '';
  const number = amount(error['code']) ?? 0;
  const ownStatus = number >= 400 && number < 600 ? number : 0;
  return {
    status: status >= 300 ? status : ownStatus,
    statusName,
    isGoogleError: statusName !== '' || ownStatus !== 0,
    message: asNonEmptyString(error['message']) ?? '',
    details: records(error['details']),
  };
}

function retryDelay(details: readonly JsonObject[]): number | undefined {
  for (const { retryDelay: delay } of details) {
    const seconds = typeof delay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
  }
  return undefined;
}

function publicMessage(message: string): string {
  const text = vendorMessage(message.replaceAll(/https?:\/\/\S+/g, ''));
  return text === '' ? UPSTREAM_MESSAGES.rejected : text;
}
