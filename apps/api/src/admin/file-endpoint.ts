import { FILE_PURPOSES } from '@sluice/canonical';
import { z } from 'zod';
import { pageSchema, searchText, showPage, SPARSE } from '../schemas/pages.ts';
import { timeSchema, unixSeconds } from '../schemas/times.ts';
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
    created_at: timeSchema('Time of the upload'),
    expires_at: timeSchema('Removal of the file'),
  })
  .meta({ id: 'AdminFile' });

export const AdminFilePageSchema = pageSchema(FileSchema, 'AdminFilePage', SPARSE);

const SearchSchema = z.strictObject({
  owner: searchText().describe(
    'Name of the key that uploaded the files. Absent: all files, those that expire last first.',
  ),
  purpose: z.enum(FILE_PURPOSES, { error: `must be one of ${FILE_PURPOSES.join(', ')}` }).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number of files in a page.'),
  after: z
    .string('must be sent once')
    .regex(/^(?:\d{1,15}:)?(?:file-|upload_)\w{25}$/, 'must be `next` of the previous page')
    .optional()
    .describe('`next` of the previous page.'),
});

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
      created_at: unixSeconds(createdAt),
      expires_at: unixSeconds(expiresAt),
    }));
    return showPage(data, next);
  },
});
