import { GatewayError } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';

export interface FormLimits {
  json_bytes: number;
  upload_bytes: number;
}

export const MAX_FIELDS = 200;
export const MAX_FILES = 16;
export const MAX_FILENAME = 255;

/** Ends the form with 413 as soon as the body is too long, including unread parts. */
export function boundBody({ raw }: Pick<FastifyRequest, 'raw'>, maxBytes: number): void {
  let bytes = 0;
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > maxBytes && bytes - chunk.byteLength <= maxBytes) raw.emit('error', bodyTooLarge(maxBytes));
  });
}

/** @param maxBytes absent: unknown */
export function bodyTooLarge(maxBytes?: number): GatewayError {
  const what = maxBytes === undefined ? 'The body is too large.' : `The body must be at most ${inBytes(maxBytes)}.`;
  return new GatewayError('payload_too_large', what);
}

export function inBytes(count: number): string {
  return `${count.toLocaleString('en-US')} bytes`;
}

export function namelessPart(): GatewayError {
  return new GatewayError('invalid_request', 'Every part of the form must have a name.');
}

/** Converts the form parser's errors that depend on the form's limits or have no code. */
export function formError(error: unknown, { upload_bytes: maxBytes }: Pick<FormLimits, 'upload_bytes'>): unknown {
  if (error instanceof Error && 'code' in error && error.code === 'FST_REQ_FILE_TOO_LARGE')
    return bodyTooLarge(maxBytes);
  return isMalformed(error) ? new GatewayError('invalid_request', 'The multipart body is malformed.') : error;
}

/** The parser's errors have no codes. It limits its `needle`, the boundary, to 254 characters. */
function isMalformed(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Unexpected end of (form|multipart data|file)|Malformed part header|Multipart: Boundary not found|The needle cannot have|Part terminated early|premature close)/i.test(
      error.message,
    )
  );
}
