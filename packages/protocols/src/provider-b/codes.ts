import type { ErrorCode } from '@sluice/canonical';

/**
 * Volcengine's own numbers where they exist, otherwise 59001 and up. Clients depend on them, so none may change.
 * `docs/use/errors.md` lists them.
 */
export const VOLCENGINE_CODES = {
  invalid_request: 50_215,
  unsupported_parameter: 50_215,
  context_length_exceeded: 50_215,
  invalid_encrypted_content: 50_215,
  payload_too_large: 50_215,
  unsupported_media_type: 50_215,
  headers_too_large: 50_215,
  idempotency_key_reused: 50_215,
  range_not_satisfiable: 50_215,
  task_final: 50_215,
  task_conflict: 50_215,
  invalid_api_key: 50_400,
  invalid_link: 50_400,
  model_not_allowed: 50_400,
  insufficient_quota: 50_400,
  // Volcengine's audits of prompts and results have separate numbers (50412, 50413, 50511 …); the gateway has one code.
  content_policy: 50_411,
  rate_limited: 50_429,
  internal_error: 50_500,
  provider_error: 50_500,
  provider_auth: 50_500,
  provider_quota: 50_500,
  provider_overloaded: 50_501,
  no_upstream: 50_501,
  store_unavailable: 50_501,
  not_found: 59_001,
  method_not_allowed: 59_001,
  upgrade_required: 59_001,
  model_not_found: 59_001,
  video_not_found: 59_001,
  video_not_ready: 59_001,
  image_not_found: 59_001,
  image_not_ready: 59_001,
  webhook_not_found: 59_001,
  content_expired: 59_001,
  response_not_found: 59_001,
  previous_response_not_found: 59_001,
  item_not_found: 59_001,
  deadline_exceeded: 59_002,
  canceled: 59_003,
  submission_unknown: 59_004,
} as const satisfies Readonly<Record<ErrorCode, number>>;
