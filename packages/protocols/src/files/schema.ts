import { FILE_PURPOSES, isFileId, UPLOAD_STATUSES } from '@sluice/canonical';
import { z } from 'zod';
import { mustBeOneOf, requiredOr } from '../json/plain-text.ts';
import { integer } from '../media/fields.ts';

/** Purposes that clients can choose. The others are those of files that Sluice writes. */
const CHOSEN_PURPOSES = ['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals'] as const;
/** OpenAI's limits of `expires_after` (openai-node 7.55, `resources/files`). */
const MIN_SECONDS = 3_600;
const MAX_SECONDS = 30 * 24 * 3_600;
/** Above a petabyte, integers in the Redis scripts would lose precision. */
const MAX_BYTES = 1e15;
const MAX_FILENAME = 255;
const MAX_PARTS = 10_000;

const notObject = { error: 'body must be a JSON object' };
const PurposeSchema = z.enum(CHOSEN_PURPOSES, requiredOr(mustBeOneOf(CHOSEN_PURPOSES))).meta({
  description: 'The use of the file. `batch` and `fine-tune` need a name that ends in `.jsonl`, `vision` an image.',
});

const ExpiresAfterSchema = z
  .looseObject(
    {
      anchor: z.literal('created_at', requiredOr('must be created_at')),
      seconds: integer(MIN_SECONDS, MAX_SECONDS),
    },
    { error: 'must be an object with anchor and seconds' },
  )
  .meta({ description: 'When the file expires. Never later than `files.retention_ms` allows.' });

export const CreateFileSchema = z.looseObject(
  { purpose: PurposeSchema, expires_after: ExpiresAfterSchema.optional() },
  notObject,
);

export const CreateFileFormSchema = CreateFileSchema.extend({
  file: z.string().meta({ format: 'binary', description: 'The file.' }),
}).meta({ id: 'CreateFile' });

export const ListFilesSchema = z.object({
  after: z
    .string({ error: 'must be the id of a file' })
    .refine(isFileId, { error: 'must be the id of a file' })
    .optional()
    .meta({ description: 'Id of the last file of the previous page.' }),
  limit: integer(1, 10_000).default(10_000).meta({ description: 'Number of files on the page.' }),
  order: z
    .enum(['asc', 'desc'], { error: mustBeOneOf(['asc', 'desc']) })
    .default('desc')
    .meta({ description: 'Order by creation time.' }),
  purpose: z
    .enum(FILE_PURPOSES, { error: mustBeOneOf(FILE_PURPOSES) })
    .optional()
    .meta({ description: 'Only files with this purpose.' }),
});

export const FileSchema = z
  .object({
    id: z.string(),
    object: z.literal('file'),
    bytes: z.int(),
    created_at: z.int().meta({ description: 'Unix seconds.' }),
    expires_at: z.int().meta({ description: 'Unix seconds.' }),
    filename: z.string(),
    purpose: z.enum(FILE_PURPOSES),
    status: z.literal('processed'),
  })
  .meta({ id: 'File' });

export const FilePageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(FileSchema),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'FilePage' });

export const DeletedFileSchema = z
  .object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) })
  .meta({ id: 'DeletedFile' });

export const CreateUploadSchema = z
  .looseObject(
    {
      bytes: integer(1, MAX_BYTES).meta({ description: 'The size of the file.' }),
      filename: z
        .string(requiredOr('must be a string'))
        .min(1, { error: 'must not be empty' })
        .max(MAX_FILENAME, { error: `must be at most ${MAX_FILENAME} characters` }),
      mime_type: z
        .string(requiredOr('must be a string'))
        .regex(/^[\w.+-]{1,63}\/[\w.+-]{1,63}(?:;.{0,100})?$/, { error: 'must be a media type (e.g. `text/jsonl`)' }),
      purpose: PurposeSchema,
      expires_after: ExpiresAfterSchema.optional(),
    },
    notObject,
  )
  .meta({ id: 'CreateUpload' });

export const CompleteUploadSchema = z
  .looseObject(
    {
      part_ids: z
        .array(z.string({ error: 'must be the id of a part' }), requiredOr('must be an array of ids of parts'))
        .min(1, { error: 'must not be empty' })
        .max(MAX_PARTS, { error: `must have at most ${MAX_PARTS} items` })
        .meta({ description: 'The parts in their order.' }),
      md5: z
        .string({ error: 'must be an MD5 in hexadecimal' })
        .regex(/^[0-9a-f]{32}$/i, { error: 'must be an MD5 in hexadecimal' })
        .optional()
        .meta({ description: 'The MD5 of the file, to check it.' }),
    },
    notObject,
  )
  .meta({ id: 'CompleteUpload' });

export const AddPartFormSchema = z
  .object({ data: z.string().meta({ format: 'binary', description: 'The bytes of the part, at most 64 MB.' }) })
  .meta({ id: 'AddUploadPart' });

export const UploadSchema = z
  .object({
    id: z.string(),
    object: z.literal('upload'),
    bytes: z.int(),
    created_at: z.int(),
    expires_at: z.int(),
    filename: z.string(),
    purpose: z.enum(FILE_PURPOSES),
    status: z.enum(UPLOAD_STATUSES),
    file: FileSchema.nullable(),
  })
  .meta({ id: 'Upload' });

export const UploadPartSchema = z
  .object({ id: z.string(), object: z.literal('upload.part'), created_at: z.int(), upload_id: z.string() })
  .meta({ id: 'UploadPart' });
