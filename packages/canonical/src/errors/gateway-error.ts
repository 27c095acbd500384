/** Error codes of refused requests and failed tasks, with their HTTP status. `docs/use/errors.md` lists them. */
export const ERROR_STATUS = {
  invalid_request: 400,
  unsupported_parameter: 400,
  thread_unsupported_request: 400,
  context_length_exceeded: 400,
  previous_response_not_found: 400,
  invalid_encrypted_content: 400,
  content_policy: 400,
  invalid_api_key: 401,
  invalid_link: 401,
  model_not_allowed: 403,
  permission_denied: 403,
  storage_quota_exceeded: 403,
  not_found: 404,
  model_not_found: 404,
  response_not_found: 404,
  item_not_found: 404,
  video_not_found: 404,
  video_not_ready: 404,
  image_not_found: 404,
  image_not_ready: 404,
  webhook_not_found: 404,
  file_not_found: 404,
  upload_not_found: 404,
  batch_not_found: 404,
  content_expired: 404,
  method_not_allowed: 405,
  task_final: 409,
  task_conflict: 409,
  batch_conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  upgrade_required: 426,
  idempotency_key_reused: 422,
  rate_limited: 429,
  insufficient_quota: 429,
  headers_too_large: 431,
  internal_error: 500,
  provider_auth: 502,
  provider_quota: 502,
  provider_error: 502,
  submission_unknown: 502,
  canceled: 409,
  provider_overloaded: 503,
  no_upstream: 503,
  store_unavailable: 503,
  deadline_exceeded: 504,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

export const TASK_ERROR_CODES = [
  'invalid_request',
  'content_policy',
  'provider_auth',
  'provider_quota',
  'rate_limited',
  'provider_error',
  'submission_unknown',
  'deadline_exceeded',
  'canceled',
  'content_expired',
  'no_upstream',
] as const satisfies readonly ErrorCode[];

export type TaskErrorCode = (typeof TASK_ERROR_CODES)[number];

export interface GatewayErrorDetails {
  /** Path of the invalid field (e.g. `input_reference[image_url]`). */
  param?: string;
  /** The number of the line of a file that is invalid, from 1. */
  line?: number;
  retryAfterMs?: number;
  /** Whether the client may send the same request again. If absent, the status decides. */
  retryable?: boolean;
  /** Logged, but never sent to a client. */
  cause?: unknown;
  /** The upstream's refusal in the client's protocol. It replaces the gateway's error and contains no secret. */
  original?: { status: number; body: string };
}

/**
 * The only error that may reach a client. The message is public. It names the problem and the remedy, without secrets,
 * vendor URLs, or stack traces.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly param: string | undefined;
  readonly line: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly retryable: boolean;
  readonly original: GatewayErrorDetails['original'];

  constructor(code: ErrorCode, message: string, details: GatewayErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.param = details.param;
    this.line = details.line;
    this.retryAfterMs = details.retryAfterMs;
    this.original = details.original;
    this.retryable = details.retryable ?? (code === 'rate_limited' || this.status === 503);
  }
}
