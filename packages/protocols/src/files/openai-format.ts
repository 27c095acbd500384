import type { FileObject, FileUpload } from '@sluice/canonical';
import type { z } from 'zod';
import type {
  DecodedUploadCompletion,
  DecodedFile,
  DecodedFileListing,
  DecodedUpload,
  FilesFormat,
  UploadPartObject,
} from '../contracts/files-protocol.ts';
import { encodeOpenAiError } from '../errors/openai-error.ts';
import { withoutBlanks } from '../forms/form-fields.ts';
import { parseInput } from '../json/parse-input.ts';
import {
  CompleteUploadSchema,
  CreateFileSchema,
  CreateUploadSchema,
  type DeletedFileSchema,
  type FilePageSchema,
  type FileSchema,
  ListFilesSchema,
  type UploadPartSchema,
  type UploadSchema,
} from './schema.ts';

/** Files in OpenAI's format (openai-node 7.55, `resources/files`). */
export const openAiFiles: FilesFormat = {
  decodeFile(fields) {
    return withLifetime(parseInput(CreateFileSchema, withoutBlanks(fields)));
  },
  decodeListing(query): DecodedFileListing {
    const { after, purpose, limit, order } = parseInput(ListFilesSchema, withoutBlanks(query));
    return { limit, order, ...(after !== undefined && { after }), ...(purpose && { purpose }) };
  },
  encodeFile,
  encodeFiles(files, hasMore): z.output<typeof FilePageSchema> {
    const [first_id = null, last_id = null] = [files[0]?.id, files.at(-1)?.id];
    return { object: 'list', data: files.map(encodeFile), first_id, last_id, has_more: hasMore };
  },
  encodeDeleted: (id): z.output<typeof DeletedFileSchema> => ({ id, object: 'file', deleted: true }),
  encodeError: encodeOpenAiError,
};

/** @throws GatewayError `invalid_request` */
export function decodeUpload(fields: unknown): DecodedUpload {
  const body = parseInput(CreateUploadSchema, fields ?? {});
  const { bytes, filename, mime_type: mediaType } = body;
  return { bytes, filename, mediaType, ...withLifetime(body) };
}

/** @throws GatewayError `invalid_request` */
export function decodeCompletion(fields: unknown): DecodedUploadCompletion {
  const { part_ids: partIds, md5 } = parseInput(CompleteUploadSchema, fields ?? {});
  return { partIds, ...(md5 !== undefined && { md5: md5.toLowerCase() }) };
}

/** @param file the file of a completed upload */
export function encodeUpload(upload: FileUpload, file?: FileObject): z.output<typeof UploadSchema> {
  const { id, bytes, filename, purpose, status } = upload;
  return {
    id,
    object: 'upload',
    bytes,
    created_at: seconds(upload.createdAt),
    expires_at: seconds(upload.expiresAt),
    filename,
    purpose,
    status,
    file: file ? encodeFile(file) : null,
  };
}

export function encodePart({ id, uploadId, createdAt }: UploadPartObject): z.output<typeof UploadPartSchema> {
  return { id, object: 'upload.part', created_at: seconds(createdAt), upload_id: uploadId };
}

function encodeFile({ id, bytes, filename, purpose, createdAt, expiresAt }: FileObject): z.output<typeof FileSchema> {
  return {
    id,
    object: 'file',
    bytes,
    created_at: seconds(createdAt),
    expires_at: seconds(expiresAt),
    filename,
    purpose,
    status: 'processed',
  };
}

function withLifetime({ purpose, expires_after: expires }: z.output<typeof CreateFileSchema>): DecodedFile {
  return { purpose, ...(expires && { lifetimeMs: expires.seconds * 1_000 }) };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
