import { isFileId } from '@sluice/canonical';
import { z } from 'zod';
import { integer } from '../media/fields.ts';

/** Anthropic's limits of `expires_in_seconds` (@anthropic-ai/sdk 1.11, `resources/beta/files`). */
const MIN_SECONDS = 3_600;
const MAX_SECONDS = 90 * 24 * 3_600;

export const CreateMessagesFileSchema = z.looseObject(
  { expires_in_seconds: integer(MIN_SECONDS, MAX_SECONDS).optional() },
  { error: 'body must be a form' },
);

const id = () =>
  z.string({ error: 'must be the id of a file' }).refine(isFileId, { error: 'must be the id of a file' }).optional();

const unsupported = () => z.undefined({ error: 'is not supported. Remove it' }).optional();

export const ListMessagesFilesSchema = z.object({
  limit: integer(1, 1_000).default(20).meta({ description: 'Number of files on the page.' }),
  after_id: id().meta({ description: 'Id of the last file of the previous page.' }),
  before_id: id().meta({ description: 'Id of the first file of the next page.' }),
  page: id().meta({ description: '`next_page` of the previous page.' }),
  ids: unsupported(),
  'ids[]': unsupported(),
  scope_id: unsupported(),
});

export const MessagesFileSchema = z
  .object({
    id: z.string(),
    type: z.literal('file'),
    filename: z.string(),
    mime_type: z.string(),
    size_bytes: z.int(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    downloadable: z.literal(true),
  })
  .meta({ id: 'MessagesFile' });

export const MessagesFilePageSchema = z
  .object({
    data: z.array(MessagesFileSchema),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
    next_page: z.string().nullable(),
  })
  .meta({ id: 'MessagesFilePage' });

export const DeletedMessagesFileSchema = z
  .object({ id: z.string(), type: z.literal('file_deleted') })
  .meta({ id: 'DeletedMessagesFile' });
