import type { FileObject } from '@sluice/canonical';
import type { z } from 'zod';
import type { DecodedFileListing, FilesFormat } from '../contracts/files-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import {
  type GenerativeFilePageSchema,
  type GenerativeFileSchema,
  ListGenerativeFilesSchema,
  StartGenerativeUploadSchema,
  type UploadedGenerativeFileSchema,
} from './generative-schema.ts';

const ID_PREFIX = 'file-';

/** Files in Google's format (@google/genai 3.1, `File`). A name is `files/` and the id without its prefix. */
export const generativeFiles: Omit<FilesFormat, 'encodeError'> = {
  decodeId: (name) => (name.startsWith(ID_PREFIX) ? name : ID_PREFIX + name),
  contentSuffix: ':download',
  decodeFile: () => ({ purpose: 'user_data' }),
  decodeListing(query): DecodedFileListing {
    const { pageSize: limit, pageToken } = parseInput(ListGenerativeFilesSchema, query ?? {});
    return { limit, order: 'desc', ...(pageToken && { after: ID_PREFIX + pageToken }) };
  },
  encodeFile: encodeGenerativeFile,
  encodeFiles(files, hasMore, origin): z.output<typeof GenerativeFilePageSchema> {
    const last = files.at(-1);
    const page = files.map((file) => encodeGenerativeFile(file, origin));
    return { files: page, ...(hasMore && last && { nextPageToken: digitsOf(last) }) };
  },
  encodeDeleted: () => ({}),
};

/** @param origin of the gateway, without a slash at the end */
function encodeGenerativeFile(file: FileObject, origin: string): z.output<typeof GenerativeFileSchema> {
  const name = `files/${digitsOf(file)}`;
  const uri = `${origin}/v1beta/${name}`;
  const created = new Date(file.createdAt).toISOString();
  return {
    name,
    displayName: file.filename,
    mimeType: file.mediaType,
    sizeBytes: String(file.bytes),
    createTime: created,
    updateTime: created,
    expirationTime: new Date(file.expiresAt).toISOString(),
    ...(file.sha256 !== undefined && { sha256Hash: Buffer.from(file.sha256, 'hex').toString('base64') }),
    uri,
    downloadUri: `${uri}:download?alt=media`,
    state: 'ACTIVE',
    source: 'UPLOADED',
  };
}

/** Encodes the result of an upload that is finished. */
export function encodeGenerativeUpload(
  file: FileObject,
  origin: string,
): z.output<typeof UploadedGenerativeFileSchema> {
  return { file: encodeGenerativeFile(file, origin) };
}

/**
 * Decodes the body that starts an upload.
 * @throws GatewayError `invalid_request`
 */
export function decodeGenerativeUpload(body: unknown): { filename?: string; mediaType?: string } {
  const { file } = parseInput(StartGenerativeUploadSchema, body ?? {});
  const filename = file?.displayName ?? file?.display_name;
  const mediaType = file?.mimeType ?? file?.mime_type;
  return { ...(filename && { filename }), ...(mediaType && { mediaType }) };
}

function digitsOf({ id }: FileObject): string {
  return id.slice(ID_PREFIX.length);
}
