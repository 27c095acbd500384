import { z } from 'zod';
import { flag, httpUrl, optionalCount, optionalText, positive } from './field-types.ts';
import { UPSTREAM_KINDS } from './kinds.ts';
import { QuirksSchema } from './quirks-schema.ts';

/** The default of `max_submitting`. Must be less than the default of `tasks.concurrency`. */
export const DEFAULT_MAX_SUBMITTING = 16;

/** Headers that describe the connection or the body. They cannot be configured. */
const OWN_HEADERS = /^(?:host|connection|keep-alive|content-length|transfer-encoding|upgrade|expect|te|trailer)$/i;

const HeadersSchema = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is not a valid header name')
      .refine((name) => !OWN_HEADERS.test(name), 'is a header that Sluice sets itself'),
    z.string().regex(/^[\t\x20-\x7E\x80-\xFF]*$/, 'must be printable Latin-1 without line breaks'),
  )
  .optional()
  .describe(
    'Headers that Sluice sends with every text call. They override the headers of the kind. Sluice treats them as secrets.',
  );

export const UpstreamSchema = z.strictObject({
  kind: z.enum(UPSTREAM_KINDS).describe('The API that the upstream speaks.'),
  base_url: httpUrl().describe("The URL of the vendor's API. The table of kinds shows whether it includes a version."),
  api_key: optionalText().describe('The credential, for kinds that need one key.'),
  access_key: optionalText().describe('The first half of the credential, for kinds that need a pair.'),
  secret_key: optionalText().describe('The second half of the credential, for kinds that need a pair.'),
  headers: HeadersSchema,
  quirks: QuirksSchema.optional().describe(
    "How the upstream's models differ from the protocol. See the table of quirks.",
  ),
  completions: flag().describe('Whether an upstream of kind `chat-completions` also serves `/completions`.'),
  region: optionalText().describe('The region in the signatures of `provider-b`. If omitted, it is `cn-north-1`.'),
  max_in_flight: optionalCount().describe(
    'Maximum videos and images that run at this account at the same time. New tasks wait in the queue. If omitted, there is no limit.',
  ),
  max_submitting: positive(DEFAULT_MAX_SUBMITTING).describe(
    'Maximum concurrent submissions to this account, across all workers. Must be less than `tasks.concurrency`.',
  ),
});
