import type { ErrorCode } from '@sluice/canonical';

/**
 * Numeric error codes: Kling's own code if one applies, otherwise 9001 and above, which Kling does not use. Clients
 * depend on these codes, so they must not change. `docs/use/errors.md` lists them.
 */
export const KLING_CODES = {
  // Kling's 1000 means that authentication failed. The more specific 1001–1004 would only help an attacker.
  invalid_api_key: 1000,
  invalid_link: 1000,
  model_not_allowed: 1103,
  permission_denied: 1103,
  storage_quota_exceeded: 1103,
  // Kling's code for a depleted resource pack.
  insufficient_quota: 1102,
  payload_too_large: 1200,
  unsupported_media_type: 1200,
  headers_too_large: 1200,
  idempotency_key_reused: 1200,
  range_not_satisfiable: 1200,
  task_final: 1200,
  task_conflict: 1200,
  batch_conflict: 1200,
  invalid_request: 1201,
  unsupported_parameter: 1201,
  thread_unsupported_request: 1201,
  context_length_exceeded: 1201,
  invalid_encrypted_content: 1201,
  not_found: 1202,
  method_not_allowed: 1202,
  upgrade_required: 1202,
  model_not_found: 1203,
  video_not_found: 1203,
  video_not_ready: 1203,
  image_not_found: 1203,
  image_not_ready: 1203,
  webhook_not_found: 1203,
  file_not_found: 1203,
  upload_not_found: 1203,
  batch_not_found: 1203,
  content_expired: 1203,
  response_not_found: 1203,
  previous_response_not_found: 1203,
  item_not_found: 1203,
  content_policy: 1301,
  rate_limited: 1302,
  internal_error: 5000,
  provider_error: 5000,
  // A problem with the operator's vendor account. Kling's own 1000 and 1101 would blame the client's account.
  provider_auth: 5000,
  provider_quota: 5000,
  provider_overloaded: 5001,
  no_upstream: 5001,
  store_unavailable: 5001,
  deadline_exceeded: 5002,
  canceled: 9001,
  submission_unknown: 9002,
} as const satisfies Readonly<Record<ErrorCode, number>>;
