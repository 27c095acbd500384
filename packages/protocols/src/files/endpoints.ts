import type { ErrorCode } from '@sluice/canonical';
import { z } from 'zod';
import { type Credential, defineEndpoints, type FileEndpoint } from '../contracts/endpoint.ts';
import type { FilesErrors, FilesFormat, FilesProtocol, UploadsProtocol } from '../contracts/files-protocol.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import { CONTENT_HEADERS } from '../media/content-route.ts';
import { generativeFilesEndpoints } from './generative-endpoints.ts';
import { generativeFiles } from './generative-format.ts';
import { filesStyle, type FilesStyle } from './files-style.ts';
import { GenerativeFilePageSchema, GenerativeFileSchema } from './generative-schema.ts';
import { messagesFiles } from './messages-format.ts';
import {
  DeletedMessagesFileSchema,
  ListMessagesFilesSchema,
  MessagesFilePageSchema,
  MessagesFileSchema,
} from './messages-schema.ts';
import { decodeCompletion, decodeUpload, encodePart, encodeUpload, openAiFiles } from './openai-format.ts';
import {
  AddPartFormSchema,
  CompleteUploadSchema,
  CreateFileFormSchema,
  CreateUploadSchema,
  DeletedFileSchema,
  FilePageSchema,
  FileSchema,
  ListFilesSchema,
  UploadPartSchema,
  UploadSchema,
} from './schema.ts';

/** The protocols that format errors and files in addition to OpenAI's. */
export interface FilesProtocols {
  messages: FilesErrors;
  generativeContent: FilesErrors;
}

const openAiErrors: FilesErrors = { name: 'files', encodeError: encodeOpenAiError, errorSchema: OpenAiErrorSchema };
const uploadsProtocol: UploadsProtocol = { ...openAiErrors, decodeUpload, decodeCompletion, encodeUpload, encodePart };
const everyCredential: readonly Credential[] = ['bearer', 'x-api-key', 'x-gen-api-key', 'key-query'];
const FORMAT_HEADERS = {
  'anthropic-version': "Selects Anthropic's format; `anthropic-beta: files-api-2025-04-14` does the same.",
  'x-goog-api-key': "Selects Google's format; `x-gen-api-key` and `?key=` do the same.",
} as const;

function sharedProtocol({ messages, generativeContent }: FilesProtocols): FilesProtocol {
  const formats: Readonly<Record<FilesStyle, FilesFormat>> = {
    default: openAiFiles,
    messages: { ...messagesFiles, encodeError: messages.encodeError },
    generative: { ...generativeFiles, encodeError: generativeContent.encodeError },
  };
  return { ...openAiErrors, formatOf: (headers, query) => formats[filesStyle(headers, query)] };
}

const WRITING = [
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'storage_quota_exceeded',
  'store_unavailable',
] as const satisfies readonly ErrorCode[];
const upload = { 200: { description: 'The upload', content: { 'application/json': UploadSchema } } };

/** Endpoints whose format depends on the request. */
function sharedEndpoints(protocols: FilesProtocols) {
  const { messages, generativeContent } = protocols;
  const shared = {
    credentials: everyCredential,
    protocol: sharedProtocol(protocols),
    errorSchema: z.union([OpenAiErrorSchema, messages.errorSchema, generativeContent.errorSchema]),
    headers: FORMAT_HEADERS,
  };
  return SHARED.map((endpoint): FileEndpoint =>
    Object.assign({}, endpoint, shared, { headers: { ...FORMAT_HEADERS, ...endpoint.headers } }),
  );
}

type SharedEndpoint = Omit<FileEndpoint, 'credentials' | 'protocol'>;

const AnyFileSchema = z.union([FileSchema, MessagesFileSchema, GenerativeFileSchema]);

const SHARED: readonly SharedEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/files',
    operationId: 'createFile',
    summary: 'Upload a file',
    action: 'file.create',
    body: { content: { 'multipart/form-data': CreateFileFormSchema }, fileFields: ['file'] },
    responses: {
      200: { description: 'The file', content: { 'application/json': AnyFileSchema } },
    },
    errors: WRITING,
  },
  {
    method: 'GET',
    path: '/v1/files',
    operationId: 'listFiles',
    summary: 'List the files of this key',
    action: 'file.list',
    query: ListMessagesFilesSchema.pick({ after_id: true, before_id: true, page: true }).extend(ListFilesSchema.shape),
    responses: {
      200: {
        description: 'A page of files',
        content: { 'application/json': z.union([FilePageSchema, MessagesFilePageSchema, GenerativeFilePageSchema]) },
      },
    },
    errors: ['invalid_request', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/v1/files/:file_id',
    operationId: 'retrieveFile',
    summary: 'Retrieve a file',
    action: 'file.retrieve',
    responses: {
      200: { description: 'The file', content: { 'application/json': AnyFileSchema } },
    },
    errors: ['file_not_found', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/v1/files/:file_id/content',
    operationId: 'downloadFile',
    summary: "Download a file's content",
    action: 'file.content',
    headers: CONTENT_HEADERS,
    responses: {
      200: { description: 'The content', content: { '*/*': 'binary' } },
      206: { description: 'The requested range', content: { '*/*': 'binary' } },
      302: { description: 'A signed URL of the store, if `content.s3.redirect` is set' },
      304: { description: 'The client has this content' },
    },
    errors: ['file_not_found', 'content_expired', 'range_not_satisfiable', 'store_unavailable'],
  },
  {
    method: 'DELETE',
    path: '/v1/files/:file_id',
    operationId: 'deleteFile',
    summary: 'Delete a file',
    action: 'file.delete',
    responses: {
      200: {
        description: 'Deleted',
        content: { 'application/json': z.union([DeletedFileSchema, DeletedMessagesFileSchema, z.object({})]) },
      },
    },
    errors: ['file_not_found', 'payload_too_large', 'unsupported_media_type', 'store_unavailable'],
  },
];

const shared = { credentials: ['bearer'] as const, protocol: uploadsProtocol };

const uploadEndpoints = defineEndpoints([
  {
    ...shared,
    method: 'POST',
    path: '/v1/uploads',
    operationId: 'createUpload',
    summary: 'Start a file that is uploaded in parts',
    action: 'upload.create',
    body: { content: { 'application/json': CreateUploadSchema }, fileFields: [], isText: true },
    responses: upload,
    errors: WRITING,
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/uploads/:upload_id/parts',
    operationId: 'addUploadPart',
    summary: 'Add a part to an upload; parts can be sent in parallel',
    action: 'upload.add-part',
    body: { content: { 'multipart/form-data': AddPartFormSchema }, fileFields: ['data'] },
    responses: { 200: { description: 'The part', content: { 'application/json': UploadPartSchema } } },
    errors: ['upload_not_found', ...WRITING],
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/uploads/:upload_id/complete',
    operationId: 'completeUpload',
    summary: 'Make a file of the parts',
    action: 'upload.complete',
    body: { content: { 'application/json': CompleteUploadSchema }, fileFields: [], isText: true },
    responses: upload,
    errors: ['upload_not_found', ...WRITING],
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/uploads/:upload_id/cancel',
    operationId: 'cancelUpload',
    summary: 'Cancel an upload and remove its parts',
    action: 'upload.cancel',
    responses: upload,
    errors: ['upload_not_found', 'invalid_request', 'payload_too_large', 'unsupported_media_type', 'store_unavailable'],
  },
]);

/** Endpoints of files. The format of a `/v1/files` response depends on the request. */
export function filesEndpoints(protocols: FilesProtocols) {
  return [...sharedEndpoints(protocols), ...uploadEndpoints, ...generativeFilesEndpoints(protocols.generativeContent)];
}
