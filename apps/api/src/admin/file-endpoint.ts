import { FILE_PURPOSES } from '@sluice/canonical';
import { z } from 'zod';
import { defineAdminEndpoint } from './admin-endpoint.ts';

const FileSchema = z
  .object({
    object: z.literal('file'),
    id: z.string(),
    owner: z.string().describe('Name of the key that uploaded the file.'),
    filename: z.string(),
    media_type: z.string(),
    purpose: z.enum(FILE_PURPOSES),
    bytes: z.int(),
    created_at: z.int().describe('Unix seconds.'),
    expires_at: z.int().describe('Unix seconds.'),
  })
  .meta({ id: 'AdminFile' });

export const AdminFilePageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(FileSchema),
    has_more: z.boolean(),
    next: z.string().optional().describe('Value of `after` for the next page.'),
  })
  .meta({ id: 'AdminFilePage' });

const SearchSchema = z.strictObject({
  owner: z
    .string('must be sent once')
    .min(1, 'must not be empty')
    .max(256, 'must be at most 256 characters')
    .optional()
    .describe('Name of the key that uploaded the files. Absent: all files, those that expire last first.'),
  purpose: z.enum(FILE_PURPOSES, { error: `must be one of ${FILE_PURPOSES.join(', ')}` }).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number of files in a page.'),
  after: z
    .string('must be sent once')
    .regex(/^(?:\d{1,15}:)?(?:file-|upload_)\w{25}$/, 'must be `next` of the previous page')
    .optional()
    .describe('`next` of the previous page.'),
});

const seconds = (ms: number) => Math.floor(ms / 1_000);

export const FILE_ENDPOINT = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/files',
  operationId: 'adminListFiles',
  summary: 'Find files of all keys',
  query: SearchSchema,
  response: { status: 200, description: 'A page of files', schema: AdminFilePageSchema },
  errors: ['store_unavailable'],
  serve: async ({ files }, { query }) => {
    const { files: found, next } = await files.search(query);
    const data = found.map(({ id, owner, filename, mediaType, purpose, bytes, createdAt, expiresAt }) => ({
      object: 'file',
      id,
      owner,
      filename,
      media_type: mediaType,
      purpose,
      bytes,
      created_at: seconds(createdAt),
      expires_at: seconds(expiresAt),
    }));
    return { object: 'list', data, has_more: next !== undefined, ...(next !== undefined && { next }) };
  },
});
