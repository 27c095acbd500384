import { GatewayError } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';

/** Maximum sizes of bodies, bytes. */
export interface FormLimits {
  json_bytes: number;
  upload_bytes: number;
}

/** Maximum number of fields of a form. */
export const MAX_FIELDS = 200;
/** Longest name of a file that is passed on, in characters. */
export const MAX_FILENAME = 255;

/** Ends the form with 413 as soon as the body is too long; parts that nobody reads count as well. */
export function boundBody({ raw }: Pick<FastifyRequest, 'raw'>, maxBytes: number): void {
  let bytes = 0;
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    // The form parser gives up, file and all, with whatever error its source has.
    if (bytes > maxBytes && bytes - chunk.byteLength <= maxBytes) raw.emit('error', bodyTooLarge());
  });
}

/** The refusal of a body past its bound. */
export function bodyTooLarge(): GatewayError {
  return new GatewayError('payload_too_large', 'The body is larger than this gateway takes.');
}

/** Turns what the form parser says of a body that breaks off or has no proper boundaries into a refusal. */
export function formError(error: unknown): unknown {
  return isMalformed(error) ? new GatewayError('invalid_request', 'The multipart body is broken.') : error;
}

/** The parser's errors have no codes. Its `needle` is the boundary, which may have 254 characters there. */
function isMalformed(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Unexpected end of (form|multipart data|file)|Malformed part header|Multipart: Boundary not found|The needle cannot have|Part terminated early|premature close)/i.test(
      error.message,
    )
  );
}
