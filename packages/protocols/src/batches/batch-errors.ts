import type { ErrorCode } from '@sluice/canonical';

/** Error codes of endpoints that read a batch. */
export const BATCH_ACCESS = ['batch_not_found', 'store_unavailable'] as const satisfies readonly ErrorCode[];

/** Error codes of endpoints that change a batch. */
export const BATCH_ACTION = [
  ...BATCH_ACCESS,
  'batch_conflict',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies readonly ErrorCode[];

/** Error codes of endpoints that send the results of a batch. */
export const BATCH_RESULTS = [
  ...BATCH_ACCESS,
  'invalid_request',
  'batch_conflict',
  'file_not_found',
  'content_expired',
] as const satisfies readonly ErrorCode[];

/** Error codes of endpoints that create a batch. */
export const BATCH_CREATION = [
  'invalid_request',
  'file_not_found',
  'model_not_allowed',
  'model_not_found',
  'payload_too_large',
  'unsupported_media_type',
  'storage_quota_exceeded',
  'insufficient_quota',
  'rate_limited',
  'store_unavailable',
] as const satisfies readonly ErrorCode[];
