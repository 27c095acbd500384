import type { ErrorCode } from '@sluice/canonical';

/** Error codes of every media task creation, beyond those of every route. */
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
  'idempotency-key':
    'At most 255 printable characters. A repeated request with the same key returns the same task for 24 hours.',
  prefer: '`wait=N` delays the response until the task ends, for at most N seconds (maximum 60).',
} as const satisfies Readonly<Record<string, string>>;
