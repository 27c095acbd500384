import { randomUUID } from 'node:crypto';
import { GatewayError, PICTURE_MAGIC_BYTES, pictureType } from '@sluice/canonical';
import { expandBrackets, type FormField, type StoredFile } from '@sluice/protocols';
import { type ContentStore, ContentTooLargeError } from '@sluice/tasks';
import type { FastifyRequest } from 'fastify';

/** Bounds of what is read, bytes. */
export interface FormLimits {
  json_bytes: number;
  upload_bytes: number;
}

/** A body that was read; its file lies in the content store. */
export interface ReadForm {
  fields: unknown;
  file?: StoredFile & { sha256: string };
}

const MAX_FIELDS = 200;

/**
 * Reads a JSON or multipart body. A file is streamed to the content store wherever it stands among the fields, never
 * to memory. The caller owns the stored file; when this throws, nothing is left behind.
 * @param fileFields names of the fields that may carry the file
 * @throws GatewayError and the HTTP libraries' errors, which `gatewayErrorOf` understands
 */
export async function readForm(
  request: FastifyRequest,
  content: ContentStore,
  limits: FormLimits,
  fileFields: readonly string[],
): Promise<ReadForm> {
  if (!request.isMultipart()) return { fields: request.body };

  const fields: FormField[] = [];
  let file: ReadForm['file'];
  try {
    const parts = request.parts({
      limits: { fileSize: limits.upload_bytes, fieldSize: limits.json_bytes, fields: MAX_FIELDS, files: 1 },
    });
    for await (const part of parts) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw new GatewayError('payload_too_large', `${part.fieldname} is too long.`);
        fields.push([part.fieldname, part.value]);
        continue;
      }
      if (!fileFields.includes(part.fieldname)) {
        throw new GatewayError('invalid_request', `${part.fieldname} does not take a file.`, { param: part.fieldname });
      }
      file = await storePicture(content, part.file, part.fieldname, part.filename, limits.upload_bytes);
      if (part.file.truncated) throw tooLarge();
    }
    return { fields: expandBrackets(fields), ...(file && { file }) };
  } catch (error) {
    if (file) await content.remove(file.key);
    throw isMalformed(error) ? new GatewayError('invalid_request', 'The multipart body is broken.') : error;
  }
}

/**
 * Streams a picture to the content store.
 * @throws GatewayError when its first bytes are no picture's, or it is too large; then nothing is stored
 */
export async function storePicture(
  content: ContentStore,
  source: AsyncIterable<Uint8Array>,
  param: string,
  filename: string,
  maxBytes: number,
): Promise<StoredFile & { sha256: string }> {
  const key = `inputs/${randomUUID()}`;
  let mediaType: string | undefined;
  async function* sniffed(): AsyncGenerator<Uint8Array> {
    let head: Buffer | undefined = Buffer.alloc(0);
    for await (const chunk of source) {
      if (!head) {
        yield chunk;
        continue;
      }
      head = Buffer.concat([head, chunk]);
      if (head.byteLength < PICTURE_MAGIC_BYTES) continue;
      mediaType = pictureType(head);
      if (!mediaType) break;
      yield head;
      head = undefined;
    }
    if (!mediaType) {
      throw new GatewayError('invalid_request', `${param} is no picture. Send PNG, JPEG, WebP or GIF.`, { param });
    }
  }
  try {
    const { bytes, sha256 } = await content.write(key, sniffed(), maxBytes);
    return { key, mediaType: mediaType ?? '', filename, bytes, sha256 };
  } catch (error) {
    throw error instanceof ContentTooLargeError ? tooLarge() : error;
  }
}

function tooLarge(): GatewayError {
  return new GatewayError('payload_too_large', 'The file is larger than this gateway takes.');
}

/** What the form parser says of a body that breaks off or has no proper boundaries; its errors have no codes. */
function isMalformed(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Unexpected end of (form|multipart data|file)|Malformed part header|Multipart: Boundary not found|Part terminated early|premature close)/i.test(
      error.message,
    )
  );
}
