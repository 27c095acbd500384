import type { ErrorCode } from '@sluice/canonical';

/** Codes with which any route that asks an upstream while its client waits can answer, beyond those of every route. */
export const CALL_ERRORS = [
  'invalid_request',
  'unsupported_parameter',
  'model_not_allowed',
  'model_not_found',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'insufficient_quota',
  'provider_auth',
  'provider_quota',
  'provider_error',
  'provider_overloaded',
  'no_upstream',
  'deadline_exceeded',
] as const satisfies readonly ErrorCode[];

/** The same for routes whose wish an upstream may find improper. */
export const PARAMS_ERRORS = [...CALL_ERRORS, 'content_policy'] as const satisfies readonly ErrorCode[];

/** The same for routes whose model reads or writes text, of which it can hold so much. */
export const GENERATION_ERRORS = [...PARAMS_ERRORS, 'context_length_exceeded'] as const satisfies readonly ErrorCode[];
