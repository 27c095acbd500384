import { GatewayError } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';

export interface FormLimits {
  json_bytes: number;
  upload_bytes: number;
}

export const MAX_FIELDS = 200;
export const MAX_FILES = 16;
export const MAX_FILENAME = 255;

/**
 * Rejects the form with 413 as soon as the body exceeds the limit, and with 429 or 503 as soon as the key or the
 * process has too many bytes in flight. Unread parts count toward the limits.
 */
export function boundBody({ raw, headers, uploadBytes }: FastifyRequest, maxBytes: number): void {
  // If the length is declared, the bytes are already reserved.
  const isDeclared = headers['content-length'] !== undefined;
  let bytes = 0;
  let isRejected = false;
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (isRejected) return;
    try {
      if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
      if (!isDeclared) uploadBytes?.add(chunk.byteLength);
    } catch (error) {
      isRejected = true;
      raw.emit('error', error);
    }
  });
}

/** @param maxBytes undefined if unknown */
export function bodyTooLarge(maxBytes?: number): GatewayError {
  const what = maxBytes === undefined ? 'The body is too large.' : `The body must be at most ${inBytes(maxBytes)}.`;
  return new GatewayError('payload_too_large', what);
}

export function inBytes(count: number): string {
  return `${count.toLocaleString('en-US')} bytes`;
}

export function tooManyFields(): GatewayError {
  return new GatewayError('invalid_request', `The form must have at most ${MAX_FIELDS} fields.`);
}

export function tooManyFiles(): GatewayError {
  return new GatewayError('invalid_request', `The form must have at most ${MAX_FILES} files.`);
}

export function namelessPart(): GatewayError {
  return new GatewayError('invalid_request', 'Every part of the form must have a name.');
}

/** Converts the parser's errors that depend on the form's limits, and those without an error code. */
export function formError(error: unknown, { upload_bytes: maxBytes }: Pick<FormLimits, 'upload_bytes'>): unknown {
  if (error instanceof Error && 'code' in error && error.code === 'FST_REQ_FILE_TOO_LARGE')
    return bodyTooLarge(maxBytes);
  return isMalformed(error)
    ? new GatewayError('invalid_request', 'The multipart body is malformed. Correct it.')
    : error;
}

/** The parser's errors have no codes. Its messages call the boundary `needle`, which has at most 254 characters. */
function isMalformed(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Unexpected end of (form|multipart data|file)|Malformed part header|Multipart: Boundary not found|The needle cannot have|Part terminated early|premature close)/i.test(
      error.message,
    )
  );
}
