import { z } from 'zod';
import { integer } from '../media/fields.ts';

const DEFAULT_PAGE = 10;
const MAX_PAGE = 100;
/** Google's limit of `displayName` (@google/genai 3.1, `File`). */
const MAX_NAME = 512;

export const ListGenerativeFilesSchema = z.object({
  // Google's client libraries send 0 for an unset page size.
  pageSize: integer(0, MAX_PAGE)
    .transform((size) => size || DEFAULT_PAGE)
    .default(DEFAULT_PAGE)
    .meta({ description: 'Number of files on the page.' }),
  pageToken: z
    .string({ error: 'must be the nextPageToken of the previous page' })
    .regex(/^(?:[0-9a-z]{25})?$/, { error: 'must be the nextPageToken of the previous page' })
    .optional()
    .meta({ description: '`nextPageToken` of the previous page.' }),
});

export const GenerativeFileSchema = z
  .object({
    name: z.string().meta({ description: '`files/` and the id without `file-`.' }),
    displayName: z.string(),
    mimeType: z.string(),
    sizeBytes: z.string(),
    createTime: z.iso.datetime(),
    updateTime: z.iso.datetime(),
    expirationTime: z.iso.datetime(),
    sha256Hash: z.string().optional().meta({ description: 'Base 64.' }),
    uri: z.string(),
    downloadUri: z.string(),
    state: z.literal('ACTIVE'),
    source: z.literal('UPLOADED'),
  })
  .meta({ id: 'GenerativeFile' });

export const GenerativeFilePageSchema = z
  .object({ files: z.array(GenerativeFileSchema), nextPageToken: z.string().optional() })
  .meta({ id: 'GenerativeFilePage' });

export const UploadedGenerativeFileSchema = z
  .object({ file: GenerativeFileSchema.optional().meta({ description: 'Set when the upload is finished.' }) })
  .meta({ id: 'UploadedGenerativeFile' });

const text = () =>
  z.string({ error: 'must be a string' }).max(MAX_NAME, { error: `must be at most ${MAX_NAME} characters` });

/** The body that starts an upload. */
export const StartGenerativeUploadSchema = z
  .looseObject(
    {
      file: z
        .looseObject(
          {
            displayName: text().optional(),
            display_name: text().optional(),
            mimeType: text().optional(),
            mime_type: text().optional(),
            name: z.undefined({ error: 'is chosen by the gateway. Remove it' }).optional(),
          },
          { error: 'must be an object' },
        )
        .optional(),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'StartGenerativeUpload' });
