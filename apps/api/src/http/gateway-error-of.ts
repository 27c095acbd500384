import { GatewayError, unavailableMessage } from '@sluice/canonical';
import { ContentUnavailableError } from '@sluice/content';
import { bodyTooLarge, tooManyFields, tooManyFiles } from './form-limits.ts';

/** Fastify's router does not decode a path parameter longer than this. */
export const MAX_PATH_PART = 1_000;

/** Errors of the HTTP libraries, by code. Their own messages may quote client input, so they are not forwarded. */
const KNOWN: Readonly<Record<string, (maxBytes?: number) => GatewayError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: bodyTooLarge,
  FST_PARTS_LIMIT: tooManyFields,
  FST_FILES_LIMIT: tooManyFiles,
  FST_FIELDS_LIMIT: tooManyFields,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_INVALID_MULTIPART_CONTENT_TYPE: unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new GatewayError('invalid_request', 'The body length does not match `Content-Length`. Send both correctly.'),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    new GatewayError('not_found', `Each part of the path must be at most ${MAX_PATH_PART} characters.`),
  FST_PROTO_VIOLATION: () =>
    new GatewayError('invalid_request', 'A field of the form has a reserved name, such as `__proto__`. Rename it.'),
  FST_INVALID_JSON_FIELD_ERROR: () =>
    new GatewayError('invalid_request', 'A field of the form is declared as JSON, but is not valid JSON. Correct it.'),
  FST_MP_PREMATURE_CLOSE: () => new GatewayError('invalid_request', 'The body is incomplete. Send it completely.'),
  FST_ERR_BAD_URL: () => new GatewayError('invalid_request', 'The path is not a valid URL path. Percent-encode it.'),
};

/** @param maxBytes the route's body limit */
export function gatewayErrorOf(error: unknown, maxBytes?: number): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof ContentUnavailableError) {
    return new GatewayError('store_unavailable', unavailableMessage('content store'), {
      cause: error,
    });
  }
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  const known = code === undefined ? undefined : KNOWN[code];
  if (known) return known(maxBytes);
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new GatewayError('invalid_request', 'The request is malformed. Correct it.', { cause: error });
  }
  return internalError(error);
}

function unsupportedMediaType(): GatewayError {
  return new GatewayError(
    'unsupported_media_type',
    'The `Content-Type` is not supported. Send `application/json`, or `multipart/form-data` for files.',
  );
}

export function internalError(cause: unknown): GatewayError {
  const what = 'Internal error. Find its cause in the logs by the request id.';
  return new GatewayError('internal_error', what, { cause });
}
