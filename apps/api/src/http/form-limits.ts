import { GatewayError } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';

export interface FormLimits {
  json_bytes: number;
  upload_bytes: number;
}

export const MAX_FIELDS = 200;
export const MAX_FILENAME = 255;

/** Ends the form with 413 as soon as the body is too long, including unread parts. */
export function boundBody({ raw }: Pick<FastifyRequest, 'raw'>, maxBytes: number): void {
  let bytes = 0;
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > maxBytes && bytes - chunk.byteLength <= maxBytes) raw.emit('error', bodyTooLarge());
  });
}

export function bodyTooLarge(): GatewayError {
  return new GatewayError('payload_too_large', 'The body exceeds the size limit.');
}

export function formError(error: unknown): unknown {
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
