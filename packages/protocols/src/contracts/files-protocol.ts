import type { FileObject, FilePurpose, FileUpload } from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';

export interface DecodedFile {
  purpose: FilePurpose;
  /** Time after which the file expires. */
  lifetimeMs?: number;
}

export interface DecodedFileListing {
  purpose?: FilePurpose;
  /** The id of the last file of the previous page. */
  after?: string;
  /** The id of the first file of the next page. */
  before?: string;
  order: 'asc' | 'desc';
  limit: number;
}

export interface DecodedUpload extends DecodedFile {
  bytes: number;
  filename: string;
  mediaType: string;
}

export interface DecodedUploadCompletion {
  partIds: string[];
  /** Hexadecimal MD5 that the content of the file must have. */
  md5?: string;
}

/** The format of files of one protocol. Decoders throw `GatewayError('invalid_request')` with the field's name. */
export interface FilesFormat {
  /** Returns the id of a file by the last part of a path. By default, they are the same. */
  decodeId?: (name: string) => string;
  /** The text after the id in the path of the content, if the content has no path of its own. */
  contentSuffix?: string;
  decodeFile: (fields: unknown) => DecodedFile;
  decodeListing: (query: unknown) => DecodedFileListing;
  /** @param origin of the gateway, for links */
  encodeFile: (file: FileObject, origin: string) => unknown;
  encodeFiles: (files: readonly FileObject[], hasMore: boolean, origin: string) => unknown;
  encodeDeleted: (id: string) => unknown;
  encodeError: EncodeError;
}

export interface UploadPartObject {
  id: string;
  uploadId: string;
  createdAt: number;
}

/** The errors of a protocol. */
export interface FilesErrors {
  name: string;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
}

export interface FilesProtocol extends FilesErrors {
  /** Selects the format by the request. @param headers by lower-case name */
  formatOf: (headers: Readonly<Record<string, unknown>>, query: Readonly<Record<string, unknown>>) => FilesFormat;
}

/** OpenAI's uploads in parts. Decoders throw `GatewayError('invalid_request')` with the field's name. */
export interface UploadsProtocol extends FilesErrors {
  decodeUpload: (fields: unknown) => DecodedUpload;
  decodeCompletion: (fields: unknown) => DecodedUploadCompletion;
  /** @param file the file of a completed upload */
  encodeUpload: (upload: FileUpload, file?: FileObject) => unknown;
  encodePart: (part: UploadPartObject) => unknown;
}
