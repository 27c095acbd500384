import { z } from 'zod';

export const CONTENT_HEADERS = {
  range: 'One range of bytes. A request for several gets the complete file.',
  'if-range': 'The ETag of the file that the range applies to.',
  'if-none-match': "ETags of the client's cached files.",
} as const satisfies Readonly<Record<string, string>>;

export const ContentLinkSchema = z.object({
  expires: z.string().optional().meta({ description: 'Part of a signed link, with `signature`; no key needed.' }),
  signature: z.string().optional(),
});
