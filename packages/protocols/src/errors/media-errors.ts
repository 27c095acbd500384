import type { ErrorCode } from '@sluice/canonical';
import type { DocumentedHeader } from '../contracts/endpoint.ts';

/** Error codes of routes that create a media task, in addition to the codes that every route returns. */
export const CREATION_ERRORS = [
  'invalid_request',
  'unsupported_parameter',
  'model_not_allowed',
  'model_not_found',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  'rate_limited',
  'insufficient_quota',
  'no_upstream',
  'store_unavailable',
] as const satisfies readonly ErrorCode[];

export const CREATION_HEADERS = {
  'idempotency-key': {
    description:
      '1 to 255 printable ASCII characters. A repeated request with the same key returns the same task for 24 hours.',
    pattern: /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/,
  },
  prefer: '`wait=N` delays the response until the task ends, for at most N seconds (maximum 60).',
} as const satisfies Readonly<Record<string, DocumentedHeader>>;
