import { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import type { UpstreamRefusal } from '../text-protocol.ts';
import { vendorWords } from '../vendor-words.ts';
import { isObject, textOf, type JsonObject } from './json.ts';
import { retryAfterMs } from './retry-after.ts';
import type { ChatErrorSchema } from './schema.ts';

/** Spells an error as `{"error": {message, type, param, code}}`, the one shape that published SDKs of this protocol read. */
export function encodeError(error: GatewayError): z.output<typeof ChatErrorSchema> {
  // Clients know the vendor's word for this one.
  const code = error.code === 'rate_limited' ? 'rate_limit_exceeded' : error.code;
  return { error: { message: error.message, type: errorType(error), param: error.param ?? null, code } };
}

function errorType({ status }: GatewayError): string {
  if (status >= 500) return 'server_error';
  if (status === 429) return 'rate_limit_error';
  return status === 403 ? 'permission_error' : 'invalid_request_error';
}

const TOO_LONG =
  /context[_ ](length|window|size)|maximum (context|sequence|model) length|prompt is too long|input is too long|too many (input )?tokens|input token count|reduce the length of/i;
const NO_QUOTA = /insufficient[_ ](quota|balance|credits?|funds)|exceeded your current quota|billing|out of credits/i;
const FORBIDDEN = /content[_ ](policy|filter)|moderation|data_inspection_failed|responsible.?ai/i;
/** DeepSeek, Mistral, OpenRouter and OpenAI: the first three say so with 400 and without a code of its own. */
const NO_MODEL =
  /model not exist|invalid model:|not a valid model\b|model [`'"]?[^\s`'"]+[`'"]? (does not exist|not found)/i;

/**
 * Turns a vendor's refusal into our words. Its message is passed on where it is about the request, never where it is about
 * the gateway's own account or about what the model is called there: those name keys and names that are not the client's.
 */
export function decodeError({ status, headers, body }: UpstreamRefusal): GatewayError {
  const { message, code, param } = readError(body);
  const said = `${code} ${message}`;
  const told = message === '' ? `The upstream refused the request with status ${status}.` : message;
  const details = { cause: body, ...(param !== undefined && { param }) };

  if (status === 402 || (status < 500 && (code === 'insufficient_quota' || (status === 429 && NO_QUOTA.test(said))))) {
    return new GatewayError('provider_quota', 'The quota of the gateway’s account at the upstream is used up.', {
      cause: body,
    });
  }
  if (status < 500 && status !== 429 && (code === 'context_length_exceeded' || TOO_LONG.test(said))) {
    return new GatewayError('context_length_exceeded', told, details);
  }
  if ((status === 400 || status === 403) && FORBIDDEN.test(code)) {
    return new GatewayError('content_policy', told, details);
  }
  if (status === 404 || (status === 400 && (code === 'model_not_found' || NO_MODEL.test(message)))) {
    return new GatewayError('model_not_found', 'The upstream does not know the model.', { cause: body });
  }
  switch (status) {
    case 401:
    case 403:
      return new GatewayError('provider_auth', 'The upstream does not accept the gateway’s credentials.', {
        cause: body,
      });
    case 413:
      return new GatewayError('payload_too_large', told, details);
    case 429: {
      const wait = retryAfterMs(headers);
      return new GatewayError('rate_limited', told, { ...details, ...(wait !== undefined && { retryAfterMs: wait }) });
    }
    case 503:
    case 529: {
      const wait = retryAfterMs(headers);
      return new GatewayError('provider_overloaded', 'The upstream is overloaded; try again later.', {
        ...(wait !== undefined && { retryAfterMs: wait }),
        cause: body,
      });
    }
    default:
      if (status >= 500 || status === 408 || status === 409) {
        return new GatewayError('provider_error', told, { retryable: true, cause: body });
      }
      if (/^unsupported_(parameter|value)$/.test(code)) return new GatewayError('unsupported_parameter', told, details);
      return new GatewayError('invalid_request', told, details);
  }
}

/**
 * Turns an error that came inside an answer of status 200, also in the middle of a stream. Some vendors tell the status
 * there as `code`.
 */
export function decodeInnerError(body: JsonObject): GatewayError {
  const error = isObject(body['error']) ? body['error'] : {};
  const status = [error['code'], error['status'], error['status_code'], body['code']].map(Number).find(isErrorStatus);
  return decodeError({ status: status ?? statusOfType(textOf(error['type']) ?? ''), headers: {}, body });
}

function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status < 600;
}

function statusOfType(type: string): number {
  if (/overloaded/.test(type)) return 503;
  if (/rate_limit|insufficient_quota/.test(type)) return 429;
  return /invalid_request/.test(type) ? 400 : 502;
}

interface VendorError {
  message: string;
  code: string;
  param?: string;
}

/** Vendors' shapes: `{error: {…}}`, `{error: "…"}`, `[{error: …}]` (Gemini), `{message}`, `{detail}` (FastAPI), text. */
function readError(body: unknown): VendorError {
  if (typeof body === 'string') return { message: looksLikePage(body) ? '' : vendorWords(body), code: '' };
  const outer: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(outer)) return { message: '', code: '' };
  const inner = outer['error'];
  if (typeof inner === 'string') return { message: vendorWords(inner), code: textOf(outer['code']) ?? '' };
  const error = isObject(inner) ? inner : outer;
  const detail = error['detail'];
  const message =
    textOf(error['message']) ??
    textOf(detail) ??
    (Array.isArray(detail) && isObject(detail[0]) ? textOf(detail[0]['msg']) : undefined);
  const param = textOf(error['param']);
  return {
    message: vendorWords(message ?? ''),
    code: textOf(error['code']) ?? textOf(error['type']) ?? '',
    ...(param !== undefined && { param: vendorWords(param) }),
  };
}

/** A proxy's error page is of no use to a client. */
function looksLikePage(body: string): boolean {
  return body.trimStart().startsWith('<');
}
