import { ContentTooLargeError, GatewayError, observeHead } from '@sluice/canonical';
import type { FileStore, WrittenContent } from '@sluice/files';
import { expandBrackets, type FormField } from '@sluice/protocols';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { bodyTooLarge, boundBody, formError, MAX_FILENAME } from '../http/form-limits.ts';
import { formParts } from '../http/form-parts.ts';
import { printable } from '../http/printable.ts';

/** Allowed size of a form in addition to its file. */
export const FORM_OVERHEAD_BYTES = 64 * 1024;

export interface FileForm {
  fields: unknown;
  filename: string;
  /** The media type of the part that contains the file. */
  declaredType: string;
  /** The first bytes, which show whether the file is an image. */
  head: Uint8Array;
  content: WrittenContent;
}

export interface FileFormOptions {
  /** The field that contains the file. */
  field: string;
  /** Maximum size of the file. */
  maxBytes: number;
  /** Maximum size of the other fields. */
  jsonBytes: number;
}

/**
 * Reads a form and streams its file to the store. The file and the fields may be in any order. If this function throws,
 * it has removed the file.
 * @throws GatewayError and errors of the HTTP libraries, which `gatewayErrorOf` converts
 */
export async function readFileForm(
  request: FastifyRequest,
  files: Pick<FileStore, 'write' | 'discard'>,
  { field, maxBytes, jsonBytes }: FileFormOptions,
): Promise<FileForm> {
  if (!request.isMultipart()) {
    const what = `The body is not a form. Send the file in \`${field}\` as \`multipart/form-data\`.`;
    throw new GatewayError('unsupported_media_type', what);
  }
  const fields: FormField[] = [];
  let read: Omit<FileForm, 'fields'> | undefined;
  const limits = { json_bytes: jsonBytes, upload_bytes: maxBytes };
  try {
    boundBody(request, maxBytes + FORM_OVERHEAD_BYTES);
    for await (const part of formParts(request, limits)) {
      if (part.type === 'field') {
        if (part.name === field) throw mustBeFile(field);
        fields.push([part.name, part.value]);
        continue;
      }
      if (part.name !== field) throw notAFileField(part.name, field);
      if (read)
        throw new GatewayError('invalid_request', `\`${field}\` appears twice. Send it once.`, { param: field });
      read = await storeFile(files, part.file, maxBytes);
      if (read.content.bytes === 0)
        throw new GatewayError('invalid_request', `${field} must not be empty.`, { param: field });
    }
    if (!read) throw new GatewayError('invalid_request', `${field} is required. Send a file in it.`, { param: field });
    return { fields: expandBrackets(fields), ...read };
  } catch (error) {
    if (read) await files.discard(read.content);
    throw error instanceof ContentTooLargeError ? bodyTooLarge(maxBytes) : formError(error, limits);
  }
}

async function storeFile(files: Pick<FileStore, 'write'>, part: MultipartFile, maxBytes: number) {
  let head: Uint8Array = new Uint8Array();
  // The cast is safe because the parser reads bytes.
  const body = observeHead(part.file as AsyncIterable<Uint8Array>, (bytes) => (head = bytes));
  const content = await files.write(body, maxBytes);
  const filename = part.filename.slice(0, MAX_FILENAME).toWellFormed();
  return { filename: filename === '' ? 'file' : filename, declaredType: part.mimetype, head, content };
}

function mustBeFile(field: string): GatewayError {
  return new GatewayError('invalid_request', `${field} must be a file with a filename.`, { param: field });
}

function notAFileField(name: string, field: string): GatewayError {
  const what = `${printable(name)} does not accept a file. Send it as \`${field}\`.`;
  return new GatewayError('invalid_request', what, { param: name });
}
