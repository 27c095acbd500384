import type { ErrorCode } from '@sluice/canonical';

/** Codes with which any route that has a model write text can answer, beyond those of every route. */
export const GENERATION_ERRORS = [
  'invalid_request',
  'unsupported_parameter',
  'context_length_exceeded',
  'content_policy',
  'model_not_allowed',
  'model_not_found',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'provider_auth',
  'provider_quota',
  'provider_error',
  'provider_overloaded',
  'no_upstream',
  'deadline_exceeded',
] as const satisfies readonly ErrorCode[];
