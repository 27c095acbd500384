import type { ErrorCode } from '@sluice/canonical';

/**
 * Error codes of routes that call an upstream while the client waits, in addition to the codes that every route
 * returns.
 */
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

/** {@link CALL_ERRORS} for routes with content policies. */
export const MODERATED_CALL_ERRORS = [...CALL_ERRORS, 'content_policy'] as const satisfies readonly ErrorCode[];

/** {@link MODERATED_CALL_ERRORS} for routes with a context length limit, whose requests can refer to files. */
export const GENERATION_ERRORS = [
  ...MODERATED_CALL_ERRORS,
  'file_not_found',
  'context_length_exceeded',
] as const satisfies readonly ErrorCode[];
