import { randomUUID } from 'node:crypto';
import { ContentTooLargeError, GatewayError, imageType, observeHead, orList } from '@sluice/canonical';
import { expandBrackets, type FormField, type StoredFile } from '@sluice/protocols';
import { type ContentStore, discardContent } from '@sluice/content';
import type { FastifyRequest } from 'fastify';
import { bodyTooLarge, boundBody, type FormLimits, formError, MAX_FILENAME, MAX_FILES } from '../http/form-limits.ts';
import { formParts } from '../http/form-parts.ts';
import { printable } from '../http/printable.ts';

export interface ReadForm {
  fields: unknown;
  files: StoredFile[];
}

/**
 * Reads a form and streams its files to the content store. Files and fields may be in any order. The caller must remove
 * the stored files. If this function throws, it has removed them itself.
 * @param fileFields fields that may contain files, without brackets: `image` includes `image[]`
 * @throws GatewayError and errors of the HTTP libraries, which `gatewayErrorOf` converts
 */
export async function readForm(
  request: FastifyRequest,
  content: Pick<ContentStore, 'write' | 'remove'>,
  limits: FormLimits,
  fileFields: readonly string[],
): Promise<ReadForm> {
  if (!request.isMultipart()) return { fields: request.body, files: [] };

  const fields: FormField[] = [];
  const files: StoredFile[] = [];
  try {
    boundBody(request, limits.upload_bytes);
    for await (const part of formParts(request, limits, MAX_FILES)) {
      if (part.type === 'field') {
        fields.push([part.name, part.value]);
        continue;
      }
      const { name, file } = part;
      if (!fileFields.includes(name.split('[', 1)[0] ?? '')) throw notAFileField(name, fileFields);
      files.push(await storeImage(content, file.file, name, file.filename, limits.upload_bytes));
    }
    return { fields: expandBrackets(fields), files };
  } catch (error) {
    await discardContent(
      content,
      files.map(({ key }) => key),
    );
    throw formError(error, limits);
  }
}

function notAFileField(name: string, fileFields: readonly string[]): GatewayError {
  const remedy = ` Send it as ${orList(fileFields.map((field) => `\`${field}\``))}.`;
  const what = `${printable(name)} does not accept a file.${fileFields.length === 0 ? '' : remedy}`;
  return new GatewayError('invalid_request', what, { param: name });
}

/** @throws GatewayError if the file is too large or its first bytes are not of an image; nothing is stored then */
export async function storeImage(
  content: Pick<ContentStore, 'write'>,
  source: AsyncIterable<Uint8Array>,
  param: string,
  filename: string | undefined,
  maxBytes: number,
): Promise<StoredFile> {
  const key = `inputs/${randomUUID()}`;
  let mediaType: string | undefined;
  const body = observeHead(source, (head) => {
    mediaType = imageType(head);
    if (mediaType) return;
    throw new GatewayError('invalid_request', `${param} must be a PNG, JPEG, WebP, or GIF image.`, { param });
  });
  try {
    const { bytes, sha256 } = await content.write(key, body, maxBytes);
    const name = filename === undefined || filename === '' ? 'input' : filename.slice(0, MAX_FILENAME);
    return { field: param, key, mediaType: mediaType ?? '', filename: name, bytes, sha256 };
  } catch (error) {
    throw error instanceof ContentTooLargeError ? bodyTooLarge(maxBytes) : error;
  }
}
