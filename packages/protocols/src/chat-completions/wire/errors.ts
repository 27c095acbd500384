import { GatewayError, retryAfterMs, UPSTREAM_MESSAGES, statusMessage } from '@sluice/canonical';
import type { z } from 'zod';
import type { UpstreamRefusal } from '../../contracts/text-protocol.ts';
import { vendorMessage } from '../../errors/vendor-message.ts';
import { isRecord } from '../../json/is-record.ts';
import { FORBIDDEN, NO_MODEL, NO_QUOTA, inferStatus, TOO_LONG } from './error-text.ts';
import { asNonEmptyString, objectOrEmpty, type JsonObject } from '../../json/values.ts';
import type { ChatErrorSchema } from './schema.ts';

/** Encodes an error as `{"error": {message, type, param, code}}`, the format that published SDKs read. */
export function encodeError(error: GatewayError): z.output<typeof ChatErrorSchema> {
  // Clients expect OpenAI's name for this code.
  const code = error.code === 'rate_limited' ? 'rate_limit_exceeded' : error.code;
  return { error: { message: error.message, type: errorType(error), param: error.param ?? null, code } };
}

function errorType({ code, status }: GatewayError): string {
  if (code === 'insufficient_quota') return code; // In OpenAI's API, this error has the same type and code.
  if (status >= 500) return 'server_error';
  if (status === 429) return 'rate_limit_error';
  return status === 403 ? 'permission_error' : 'invalid_request_error';
}

/**
 * Decodes a vendor's error. Its message reaches the client only if it concerns the client's request. Messages about the
 * gateway's account or the upstream's model name would expose keys and names.
 */
export function decodeError({ status: httpStatus, headers, body }: UpstreamRefusal): GatewayError {
  const error = readError(body);
  const { message: vendorText, code, param } = error;
  const status = isErrorStatus(httpStatus) ? httpStatus : (statusIn(body) ?? inferStatus(error));
  const codeAndText = `${code} ${vendorText}`;
  const fallback = status === httpStatus ? statusMessage(status) : UPSTREAM_MESSAGES.failed;
  const message = vendorText === '' ? fallback : vendorText;
  const details = { cause: body, param };

  if (status === 402 || code === 'insufficient_quota' || (status === 429 && NO_QUOTA.test(codeAndText))) {
    return new GatewayError('provider_quota', UPSTREAM_MESSAGES.quotaExhausted, {
      cause: body,
    });
  }
  if (code === 'context_length_exceeded' || (status < 500 && status !== 429 && TOO_LONG.test(codeAndText))) {
    return new GatewayError('context_length_exceeded', message, details);
  }
  if ((status === 400 || status === 403) && FORBIDDEN.test(code)) {
    return new GatewayError('content_policy', message, details);
  }
  if (status === 404 || (status === 400 && (code === 'model_not_found' || NO_MODEL.test(vendorText)))) {
    return new GatewayError('model_not_found', UPSTREAM_MESSAGES.modelNotFound, { cause: body });
  }
  switch (status) {
    case 401:
    case 403:
      return new GatewayError('provider_auth', UPSTREAM_MESSAGES.credentialRejected, {
        cause: body,
      });
    case 413:
      return new GatewayError('payload_too_large', message, details);
    case 429:
      return new GatewayError('rate_limited', message, { ...details, retryAfterMs: retryAfterMs(headers) });
    case 503:
    case 529:
      return new GatewayError('provider_overloaded', UPSTREAM_MESSAGES.overloaded, {
        retryAfterMs: retryAfterMs(headers),
        cause: body,
      });
    default: {
      if (status >= 500 || status === 408 || status === 409) {
        return new GatewayError('provider_error', message, { retryable: true, cause: body });
      }
      const isUnsupported = /^unsupported_(parameter|value)$/.test(code);
      return new GatewayError(isUnsupported ? 'unsupported_parameter' : 'invalid_request', message, details);
    }
  }
}

/** Decodes an error inside a stream or a response with status 200. {@link inferStatus} supplies its status. */
export function decodeInnerError(body: JsonObject): GatewayError {
  return decodeError({ status: 0, headers: {}, body });
}

/** Some vendors send the HTTP status as the error's code. */
function statusIn(body: unknown): number | undefined {
  const outer = objectOrEmpty(Array.isArray(body) ? body[0] : body);
  const error = objectOrEmpty(outer['error']);
  return [error['code'], error['status'], error['status_code'], outer['code']].map(Number).find(isErrorStatus);
}

function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status < 600;
}

interface VendorError {
  message: string;
  /** The error's type if it has no code. */
  code: string;
  type: string;
  param?: string | undefined;
}

/**
 * Reads the vendors' error formats: `{error: {…}}`, `{error: "…"}`, `[{error: …}]` (Gemini), `{message}`, `{detail}`
 * (FastAPI), and plain text.
 */
function readError(body: unknown): VendorError {
  if (typeof body === 'string') return { message: isHtmlPage(body) ? '' : vendorMessage(body), code: '', type: '' };
  const outer: unknown = Array.isArray(body) ? body[0] : body;
  if (!isRecord(outer)) return { message: '', code: '', type: '' };
  const inner = outer['error'];
  if (typeof inner === 'string') {
    return { message: vendorMessage(inner), code: asNonEmptyString(outer['code']) ?? '', type: '' };
  }
  const error = isRecord(inner) ? inner : outer;
  const detail = error['detail'];
  const message =
    asNonEmptyString(error['message']) ??
    asNonEmptyString(detail) ??
    (Array.isArray(detail) && isRecord(detail[0]) ? asNonEmptyString(detail[0]['msg']) : undefined);
  const param = asNonEmptyString(error['param']);
  const type = asNonEmptyString(error['type']) ?? '';
  return {
    message: vendorMessage(message ?? ''),
    code: asNonEmptyString(error['code']) ?? type,
    type,
    param: param === undefined ? undefined : vendorMessage(param),
  };
}

/** A proxy's HTML error page does not help a client. */
function isHtmlPage(body: string): boolean {
  return body.trimStart().startsWith('<');
}
