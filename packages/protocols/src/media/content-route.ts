import { z } from 'zod';

/** Headers of every route to a finished file. */
export const CONTENT_HEADERS = {
  range: 'One range of bytes; several are answered with the whole file.',
  'if-range': 'The ETag of the file that the range is meant for.',
  'if-none-match': 'ETags that the client has.',
} as const satisfies Readonly<Record<string, string>>;

/** Query of every route to a finished file, for the documents. */
export const ContentLinkSchema = z.object({
  expires: z
    .string()
    .optional()
    .meta({ description: 'With `signature`, as the link in an answer has it: no key needed.' }),
  signature: z.string().optional(),
});
