import { GatewayError, type GatewayErrorDetails } from '@sluice/canonical';
import type { UpstreamRefusal } from '../../contracts/text-protocol.ts';
import { vendorMessage } from '../../errors/vendor-message.ts';
import { isRecord } from '../../json/is-record.ts';
import { amount, filledText, records, type Wire } from '../wire/wire-values.ts';

/** A refusal as Google's APIs spell it. */
interface Refusal {
  /** 0: not told. */
  status: number;
  /** `INVALID_ARGUMENT`, `RESOURCE_EXHAUSTED` …; empty when the body is no error of theirs. */
  word: string;
  /** Whether the error has Google's shape: a word, or a number of its own. */
  isGoogles: boolean;
  message: string;
  details: Wire[];
  retryAfterMs?: number;
}

/**
 * Turns an upstream's refusal into our words. What lies in the gateway's own account there is no fault of the client:
 * `provider_auth`, `provider_quota`. Messages of the vendor are passed on only for what the client can mend, without links.
 */
export function decodeError({ status, headers, body }: UpstreamRefusal): GatewayError {
  const refusal = readRefusal(status, body);
  const retryAfterMs = retryDelay(refusal.details) ?? retryHeader(headers['retry-after']);
  const details: GatewayErrorDetails = { cause: body, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return classify(refusal, details);
}

function classify(refusal: Refusal, details: GatewayErrorDetails): GatewayError {
  const { status, word, message, isGoogles } = refusal;
  if (isOurKey(refusal)) {
    return new GatewayError('provider_auth', "The upstream refused the gateway's credentials.", details);
  }
  if (/token count.*exceed|exceeds? the maximum number of (?:input )?tokens|context (?:length|window)/i.test(message)) {
    return new GatewayError('context_length_exceeded', publicMessage(message), details);
  }
  if (word === 'RESOURCE_EXHAUSTED' || status === 429) return exhausted(message, details);
  if (word === 'UNAVAILABLE' || status === 503) {
    return new GatewayError('provider_overloaded', 'The model is overloaded; try again later.', details);
  }
  if (word === 'DEADLINE_EXCEEDED' || status === 504 || status === 408) {
    return new GatewayError('deadline_exceeded', 'The upstream did not answer in time.', details);
  }
  if (word === 'FAILED_PRECONDITION') return precondition(message, details);
  if (status === 404 || word === 'NOT_FOUND') return notFound(word, message, details);
  if (status === 413)
    return new GatewayError('payload_too_large', 'The request is too large for the upstream.', details);
  if (THE_REQUEST.has(word) || (status >= 400 && status < 500 && isGoogles)) {
    const code = /prohibited|blocked by|safety/i.test(message) ? 'content_policy' : 'invalid_request';
    return new GatewayError(code, publicMessage(message), details);
  }
  const plain = status === 0 ? 'The upstream failed.' : `The upstream answered with status ${status}.`;
  return new GatewayError('provider_error', plain, { retryable: status === 0 || status >= 500, ...details });
}

function isOurKey({ status, word, message, details }: Refusal): boolean {
  if (status === 401 || status === 403 || word === 'UNAUTHENTICATED' || word === 'PERMISSION_DENIED') return true;
  const isWrongKey = details.some((one) => filledText(one['reason'])?.startsWith('API_KEY_'));
  return isWrongKey || /api key (?:not valid|not found|expired)/i.test(message);
}

function exhausted(message: string, details: GatewayErrorDetails): GatewayError {
  if (/prepa(?:y|id)|credits? (?:are|is) depleted|spend(?:ing)? (?:cap|limit)|billing account/i.test(message)) {
    return new GatewayError('provider_quota', "The gateway's quota at the upstream is used up.", details);
  }
  return new GatewayError('rate_limited', "The upstream's rate limit is reached; try again later.", details);
}

/** Google says so of an account that may not do this yet, or from here; a gateway like ours of its content policy. */
function precondition(message: string, details: GatewayErrorDetails): GatewayError {
  if (/billing|free (?:tier|quota)/i.test(message)) {
    return new GatewayError('provider_quota', "The gateway's account at the upstream cannot do this.", details);
  }
  if (/policy|safety|prohibited/i.test(message)) {
    return new GatewayError('content_policy', publicMessage(message), details);
  }
  return new GatewayError('provider_error', "The upstream does not serve the gateway's account.", details);
}

function notFound(word: string, message: string, details: GatewayErrorDetails): GatewayError {
  if (word === '') return new GatewayError('provider_error', 'The upstream has no such address.', details);
  if (/model/i.test(message)) {
    return new GatewayError('model_not_found', 'The upstream does not know this model.', details);
  }
  return new GatewayError('invalid_request', publicMessage(message), details);
}

/** What lies with the request whatever number comes with it. */
const THE_REQUEST: ReadonlySet<string> = new Set(['INVALID_ARGUMENT', 'OUT_OF_RANGE']);

/** Without `alt=sse`, the error stands in an array. An error inside an answer has no status but its own number. */
function readRefusal(status: number, body: unknown): Refusal {
  const whole: unknown = Array.isArray(body) ? body[0] : body;
  const error = isRecord(whole) && isRecord(whole['error']) ? whole['error'] : {};
  const word = filledText(error['status']) ?? '';
  const number = amount(error['code']) ?? 0;
  const told = number >= 400 && number < 600 ? number : 0;
  return {
    status: status >= 300 ? status : told,
    word,
    isGoogles: word !== '' || told !== 0,
    message: filledText(error['message']) ?? '',
    details: records(error['details']),
  };
}

/** `3s`, `1.5s` */
function retryDelay(details: readonly Wire[]): number | undefined {
  for (const { retryDelay: delay } of details) {
    const seconds = typeof delay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
  }
  return undefined;
}

function retryHeader(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+(?:\.\d+)?$/.test(value) ? Math.ceil(Number(value) * 1000) : undefined;
}

function publicMessage(message: string): string {
  const text = vendorMessage(message.replaceAll(/https?:\/\/\S+/g, ''));
  return text === '' ? 'The upstream refused the request.' : text;
}
