import { type ErrorCode, GatewayError, retryAfterMs, statusMessage, UPSTREAM_MESSAGES } from '@sluice/canonical';
import type { UpstreamRefusal } from '../../contracts/text-protocol.ts';
import { vendorMessage } from '../../errors/vendor-message.ts';
import { asNonEmptyString, asString, objectOrEmpty, ownMember } from '../../json/values.ts';

/** Exceptions of Bedrock (@aws-sdk/client-bedrock-runtime, `errors`) and of AWS's request signing, in lower case. */
const EXCEPTIONS: Readonly<Record<string, ErrorCode>> = {
  accessdeniedexception: 'provider_auth',
  expiredtokenexception: 'provider_auth',
  incompletesignatureexception: 'provider_auth',
  invalidsignatureexception: 'provider_auth',
  missingauthenticationtokenexception: 'provider_auth',
  unrecognizedclientexception: 'provider_auth',
  validationexception: 'invalid_request',
  conflictexception: 'provider_error',
  resourcenotfoundexception: 'model_not_found',
  servicequotaexceededexception: 'provider_quota',
  throttlingexception: 'rate_limited',
  modelnotreadyexception: 'provider_overloaded',
  serviceunavailableexception: 'provider_overloaded',
  modeltimeoutexception: 'deadline_exceeded',
  modelerrorexception: 'provider_error',
  modelstreamerrorexception: 'provider_error',
  internalserverexception: 'provider_error',
};

const STATUS_CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'provider_auth',
  403: 'provider_auth',
  404: 'model_not_found',
  408: 'deadline_exceeded',
  413: 'payload_too_large',
  429: 'rate_limited',
  503: 'provider_overloaded',
  504: 'deadline_exceeded',
};

/**
 * Decodes an error response, or an exception inside a stream (status 0). The exception's name is in the header
 * `x-amzn-errortype` (`Name:url`), or in `__type` (`prefix#Name`), and takes precedence over the status.
 */
export function decodeError({ status, headers, body }: UpstreamRefusal): GatewayError {
  const fields = objectOrEmpty(body);
  const message = vendorMessage(asNonEmptyString(fields['message']) ?? asString(fields['Message']) ?? '');
  const name = exceptionName(headers['x-amzn-errortype'] ?? asString(fields['__type']) ?? '');
  const known = ownMember(EXCEPTIONS, name) ?? STATUS_CODES[status];
  const code = refine(known ?? 'provider_error', message);
  return new GatewayError(code, publicMessage(code, message, status), {
    retryAfterMs: retryAfterMs(headers),
    retryable: code === 'provider_error' ? status < 400 || status >= 500 || RETRYABLE.has(name) : undefined,
    cause: body,
  });
}

/** Errors of the model's server, which have the status 424 or 409. */
const RETRYABLE: ReadonlySet<string> = new Set([
  'modelerrorexception',
  'modelstreamerrorexception',
  'conflictexception',
]);

function exceptionName(type: string): string {
  const [name = ''] = (type.split('#').at(-1) ?? '').split(':', 1);
  return name.trim().toLowerCase();
}

/** Detects causes that only the message reveals. */
function refine(code: ErrorCode, message: string): ErrorCode {
  if (code === 'rate_limited') return /tokens? per day|daily/i.test(message) ? 'provider_quota' : code;
  if (code !== 'invalid_request') return code;
  if (
    /too long|exceed\w* (?:the )?(?:model'?s? )?(?:maximum )?context|context (?:length|window|limit)/i.test(message)
  ) {
    return 'context_length_exceeded';
  }
  if (/invalid .?signature.? in .?thinking.? block/i.test(message)) return 'invalid_encrypted_content';
  if (/model identifier is invalid|on-demand throughput isn.t supported|end of its life/i.test(message)) {
    return 'model_not_found';
  }
  return /content filtering policy/i.test(message) ? 'content_policy' : code;
}

function publicMessage(code: ErrorCode, message: string, status: number): string {
  if (code === 'provider_auth') return UPSTREAM_MESSAGES.credentialRejected;
  if (code === 'provider_quota') return UPSTREAM_MESSAGES.quotaExhausted;
  if (code === 'model_not_found') return UPSTREAM_MESSAGES.modelNotFound;
  if (message !== '') return message;
  return status < 400 ? UPSTREAM_MESSAGES.failed : statusMessage(status);
}
