import { GatewayError } from '@sluice/canonical';
import { ContentUnavailableError } from '@sluice/tasks';

/** The HTTP libraries' errors by code. Their own messages may quote input and are not passed on. */
const KNOWN: Readonly<Record<string, () => GatewayError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_REQ_FILE_TOO_LARGE: tooLarge,
  FST_PARTS_LIMIT: tooManyParts,
  FST_FILES_LIMIT: () => new GatewayError('invalid_request', 'The form contains too many files.'),
  FST_FIELDS_LIMIT: tooManyParts,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_INVALID_MULTIPART_CONTENT_TYPE: unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new GatewayError('invalid_request', 'The body length does not match Content-Length.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new GatewayError('not_found', 'The path is too long.'),
  FST_PROTO_VIOLATION: () => new GatewayError('invalid_request', 'A field has a forbidden name.'),
  FST_INVALID_JSON_FIELD_ERROR: () =>
    new GatewayError('invalid_request', 'A field declared as JSON is not valid JSON.'),
  FST_MP_PREMATURE_CLOSE: () => new GatewayError('invalid_request', 'The body is incomplete.'),
  FST_ERR_BAD_URL: () => new GatewayError('invalid_request', 'The path is not a valid URL path.'),
};

export function gatewayErrorOf(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof ContentUnavailableError) {
    return new GatewayError('store_unavailable', 'The content store is unavailable. Retry shortly.', {
      cause: error,
    });
  }
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  const known = code === undefined ? undefined : KNOWN[code];
  if (known) return known();
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new GatewayError('invalid_request', 'The request is malformed.', { cause: error });
  }
  return new GatewayError('internal_error', 'Internal error. Find its cause in the logs by the request id.', {
    cause: error,
  });
}

function tooLarge(): GatewayError {
  return new GatewayError('payload_too_large', 'The body exceeds the size limit.');
}

function tooManyParts(): GatewayError {
  return new GatewayError('invalid_request', 'The form has too many fields.');
}

function unsupportedMediaType(): GatewayError {
  return new GatewayError(
    'unsupported_media_type',
    'Send the body as `application/json`, or as `multipart/form-data` for files, with that Content-Type.',
  );
}
