import { GatewayError, type GatewayErrorDetails, retryAfterMs as retryAfterOf } from '@sluice/canonical';
import type { UpstreamRefusal } from '../../contracts/text-protocol.ts';
import { vendorMessage } from '../../errors/vendor-message.ts';
import { isRecord } from '../../json/is-record.ts';
import { amount } from '../../json/amount.ts';
import { type JsonObject, asNonEmptyString } from '../../json/values.ts';
import { records } from '../wire/proto-json.ts';

/** An error of Google's APIs. */
interface Refusal {
  /** 0: unknown. */
  status: number;
  /** `INVALID_ARGUMENT`, `RESOURCE_EXHAUSTED` …; empty when the body is not an error of theirs. */
  word: string;
  /** Whether the error has Google's shape: a status, or a number of its own. */
  isGoogles: boolean;
  message: string;
  details: JsonObject[];
  retryAfterMs?: number;
}

/**
 * Decodes an upstream's error. Causes in the gateway's own account are not the client's: `provider_auth`,
 * `provider_quota`.
 * The vendor's message is passed on, without links, only if the client can act on it.
 */
export function decodeError({ status, headers, body }: UpstreamRefusal): GatewayError {
  const refusal = readRefusal(status, body);
  const retryAfterMs = retryDelay(refusal.details) ?? retryAfterOf(headers);
  const details: GatewayErrorDetails = { cause: body, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return classify(refusal, details);
}

function classify(refusal: Refusal, details: GatewayErrorDetails): GatewayError {
  const { status, word, message, isGoogles } = refusal;
  if (isOurKey(refusal)) {
    return new GatewayError('provider_auth', 'The upstream rejected the credentials of this gateway.', details);
  }
  if (/token count.*exceed|exceeds? the maximum number of (?:input )?tokens|context (?:length|window)/i.test(message)) {
    return new GatewayError('context_length_exceeded', publicMessage(message), details);
  }
  if (word === 'RESOURCE_EXHAUSTED' || status === 429) return exhausted(message, details);
  if (word === 'UNAVAILABLE' || status === 503) {
    return new GatewayError('provider_overloaded', 'The model is overloaded. Retry later.', details);
  }
  if (word === 'DEADLINE_EXCEEDED' || status === 504 || status === 408) {
    return new GatewayError('deadline_exceeded', 'The upstream did not respond in time.', details);
  }
  if (word === 'FAILED_PRECONDITION') return precondition(message, details);
  if (status === 404 || word === 'NOT_FOUND') return notFound(word, message, details);
  if (status === 413)
    return new GatewayError('payload_too_large', 'The request is too large for the upstream.', details);
  if (THE_REQUEST.has(word) || (status >= 400 && status < 500 && isGoogles)) {
    const code = /prohibited|blocked by|safety/i.test(message) ? 'content_policy' : 'invalid_request';
    return new GatewayError(code, publicMessage(message), details);
  }
  const plain = status === 0 ? 'The upstream failed.' : `The upstream returned status ${status}.`;
  return new GatewayError('provider_error', plain, { retryable: status === 0 || status >= 500, ...details });
}

function isOurKey({ status, word, message, details }: Refusal): boolean {
  if (status === 401 || status === 403 || word === 'UNAUTHENTICATED' || word === 'PERMISSION_DENIED') return true;
  const isWrongKey = details.some((one) => asNonEmptyString(one['reason'])?.startsWith('API_KEY_'));
  return isWrongKey || /api key (?:not valid|not found|expired)/i.test(message);
}

function exhausted(message: string, details: GatewayErrorDetails): GatewayError {
  if (/prepa(?:y|id)|credits? (?:are|is) depleted|spend(?:ing)? (?:cap|limit)|billing account/i.test(message)) {
    return new GatewayError(
      'provider_quota',
      'The account of this gateway at the upstream has no quota left.',
      details,
    );
  }
  return new GatewayError('rate_limited', 'The rate limit of the upstream is reached. Retry later.', details);
}

/**
 * Google uses this status for accounts and regions without access; another Sluice gateway uses it for its content
 * policy.
 */
function precondition(message: string, details: GatewayErrorDetails): GatewayError {
  if (/billing|free (?:tier|quota)/i.test(message)) {
    return new GatewayError(
      'provider_quota',
      'The account of this gateway at the upstream has no access to this operation.',
      details,
    );
  }
  if (/policy|safety|prohibited/i.test(message)) {
    return new GatewayError('content_policy', publicMessage(message), details);
  }
  return new GatewayError('provider_error', 'The upstream does not serve the account of this gateway.', details);
}

function notFound(word: string, message: string, details: GatewayErrorDetails): GatewayError {
  if (word === '') return new GatewayError('provider_error', 'The upstream has no such endpoint.', details);
  if (/model/i.test(message)) {
    return new GatewayError('model_not_found', 'The upstream does not know the model.', details);
  }
  return new GatewayError('invalid_request', publicMessage(message), details);
}

/** Statuses that mean an invalid request, whatever the number. */
const THE_REQUEST: ReadonlySet<string> = new Set(['INVALID_ARGUMENT', 'OUT_OF_RANGE']);

/** Without `alt=sse` the error is in an array. An error inside a response has no HTTP status, only its own number. */
function readRefusal(status: number, body: unknown): Refusal {
  const whole: unknown = Array.isArray(body) ? body[0] : body;
  const error = isRecord(whole) && isRecord(whole['error']) ? whole['error'] : {};
  const word = asNonEmptyString(error['status']) ?? '';
  const number = amount(error['code']) ?? 0;
  const told = number >= 400 && number < 600 ? number : 0;
  return {
    status: status >= 300 ? status : told,
    word,
    isGoogles: word !== '' || told !== 0,
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
  return text === '' ? 'The upstream refused the request.' : text;
}
