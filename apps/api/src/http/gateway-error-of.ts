import { GatewayError } from '@sluice/canonical';
import { ContentUnavailableError } from '@sluice/tasks';

/** What the HTTP libraries throw, by code, in our words. Their own messages may quote input and are not passed on. */
const KNOWN: Readonly<Record<string, () => GatewayError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_REQ_FILE_TOO_LARGE: tooLarge,
  FST_PARTS_LIMIT: tooManyParts,
  FST_FILES_LIMIT: () => new GatewayError('invalid_request', 'Too many files are sent.'),
  FST_FIELDS_LIMIT: tooManyParts,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_INVALID_MULTIPART_CONTENT_TYPE: unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new GatewayError('invalid_request', 'The body is not as long as Content-Length says.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new GatewayError('not_found', 'There is nothing under so long a path.'),
  FST_PROTO_VIOLATION: () => new GatewayError('invalid_request', 'A field has a name that cannot be used.'),
  FST_INVALID_JSON_FIELD_ERROR: () => new GatewayError('invalid_request', 'A field that says it is JSON is not.'),
  FST_MP_PREMATURE_CLOSE: () => new GatewayError('invalid_request', 'The body broke off.'),
  FST_ERR_BAD_URL: () => new GatewayError('invalid_request', 'The path is not a valid URL path.'),
};

/** Turns whatever was thrown into the error that a client may see. */
export function gatewayErrorOf(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof ContentUnavailableError) {
    return new GatewayError('store_unavailable', 'The content store does not answer at the moment. Try again.', {
      cause: error,
    });
  }
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }; // any thrown object may have them
  const known = code === undefined ? undefined : KNOWN[code];
  if (known) return known();
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new GatewayError('invalid_request', 'The request cannot be understood.', { cause: error });
  }
  return new GatewayError('internal_error', 'Something went wrong here. The request id finds it in the logs.', {
    cause: error,
  });
}

function tooLarge(): GatewayError {
  return new GatewayError('payload_too_large', 'The body is larger than this gateway takes.');
}

function tooManyParts(): GatewayError {
  return new GatewayError('invalid_request', 'The form has too many fields.');
}

function unsupportedMediaType(): GatewayError {
  return new GatewayError(
    'unsupported_media_type',
    'Send the body as application/json, or as multipart/form-data where files are taken, with that Content-Type.',
  );
}
