import type { ErrorCode } from '@sluice/canonical';
import { z } from 'zod';
import { type Credential, defineEndpoints, type FileEndpoint } from '../contracts/endpoint.ts';
import type { FilesErrors, FilesProtocol } from '../contracts/files-protocol.ts';
import { CONTENT_HEADERS } from '../media/content-route.ts';
import { generativeFiles } from './generative-format.ts';
import {
  GenerativeFilePageSchema,
  GenerativeFileSchema,
  ListGenerativeFilesSchema,
  StartGenerativeUploadSchema,
  UploadedGenerativeFileSchema,
} from './generative-schema.ts';

const credentials: readonly Credential[] = ['x-gen-api-key', 'key-query', 'bearer'];
const ACCESS = ['file_not_found', 'store_unavailable'] as const satisfies readonly ErrorCode[];

const UPLOAD = {
  method: 'POST',
  summary: 'Start a resumable upload, or send bytes to the URL of an upload that was started',
  action: 'file.upload',
  query: z.object({
    upload_id: z.string().optional().meta({ description: 'The id of a started upload, in its URL.' }),
    owner: z.string().optional().meta({ description: 'Part of the URL, with `signature`; no key needed.' }),
    signature: z.string().optional(),
  }),
  headers: {
    'x-goog-upload-protocol': '`resumable`, to start an upload.',
    'x-goog-upload-command': '`start`, `upload`, `upload, finalize`, `finalize`, `query`, or `cancel`.',
    'x-goog-upload-offset': 'The position of the first byte in the file.',
    'x-goog-upload-header-content-length': 'The size of the file.',
    'x-goog-upload-header-content-type': 'The media type of the file.',
    'x-goog-upload-file-name': 'The name of the file, if the body has no `displayName`.',
  },
  body: {
    content: { 'application/json': StartGenerativeUploadSchema },
    fileFields: [],
  },
  responses: {
    200: {
      description: 'The file, if the upload is finished. `x-goog-upload-status` is `active` or `final`',
      content: { 'application/json': UploadedGenerativeFileSchema },
    },
  },
  errors: [
    'invalid_request',
    'upload_not_found',
    'payload_too_large',
    'unsupported_media_type',
    'storage_quota_exceeded',
    'store_unavailable',
  ],
} as const satisfies Omit<FileEndpoint, 'credentials' | 'protocol' | 'path' | 'operationId'>;

/** Google's files: `/v1beta/files`, and resumable uploads. */
export function generativeFilesEndpoints(errors: FilesErrors) {
  const format = { ...generativeFiles, encodeError: errors.encodeError };
  const protocol: FilesProtocol = { ...errors, formatOf: () => format };
  const shared = { credentials, protocol };
  const upload = (version: string, suffix: string) => ({
    ...shared,
    ...UPLOAD,
    path: `/upload/${version}/files`,
    operationId: `uploadGenerativeFile${suffix}`,
  });
  return defineEndpoints([
    upload('v1beta', ''),
    // Newer clients use this version. Their other requests select the format of `/v1/files`.
    upload('v1', 'V1'),
    {
      ...shared,
      method: 'GET',
      path: '/v1beta/files',
      operationId: 'listGenerativeFiles',
      summary: 'List the files of this key',
      action: 'file.list',
      query: ListGenerativeFilesSchema,
      responses: { 200: { description: 'A page of files', content: { 'application/json': GenerativeFilePageSchema } } },
      errors: ['invalid_request', 'store_unavailable'],
    },
    {
      ...shared,
      method: 'GET',
      path: '/v1beta/files/:file_id',
      operationId: 'retrieveGenerativeFile',
      summary: 'Retrieve a file; with `:download` after the id, its content',
      action: 'file.retrieve',
      headers: CONTENT_HEADERS,
      responses: {
        200: {
          description: 'The file or its content',
          content: { 'application/json': GenerativeFileSchema, '*/*': 'binary' },
        },
        206: { description: 'The requested range', content: { '*/*': 'binary' } },
        302: { description: 'A signed URL of the store, if `content.s3.redirect` is set' },
        304: { description: 'The client has this content' },
      },
      errors: [...ACCESS, 'content_expired', 'range_not_satisfiable'],
    },
    {
      ...shared,
      method: 'DELETE',
      path: '/v1beta/files/:file_id',
      operationId: 'deleteGenerativeFile',
      summary: 'Delete a file',
      action: 'file.delete',
      responses: { 200: { description: 'Deleted', content: { 'application/json': z.object({}) } } },
      errors: [...ACCESS, 'payload_too_large', 'unsupported_media_type'],
    },
  ]);
}
