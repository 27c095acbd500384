import { z } from 'zod';
import { flag, httpUrl, optionalCount, optionalText, positive } from './field-types.ts';
import { UPSTREAM_KINDS } from './kinds.ts';
import { QuirksSchema } from './quirks-schema.ts';

/** Must be less than the default of `tasks.concurrency`. */
export const DEFAULT_MAX_SUBMITTING = 16;

/** Connection and body headers, which cannot be configured. */
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
  .describe("Headers sent with every text call; they override the kind's own. Treated as secrets.");

export const UpstreamSchema = z.strictObject({
  kind: z.enum(UPSTREAM_KINDS).describe('The API that the upstream speaks.'),
  base_url: httpUrl().describe('URL of the API; the table of kinds says which ones include the version.'),
  api_key: optionalText().describe('Credential of upstreams that take one key.'),
  access_key: optionalText().describe('First half of the credential of upstreams that take a pair.'),
  secret_key: optionalText().describe('Second half of the credential of upstreams that take a pair.'),
  headers: HeadersSchema,
  quirks: QuirksSchema.optional().describe('How its models differ from the protocol; see the table of quirks.'),
  completions: flag().describe('Whether an upstream of kind `chat-completions` also serves `/completions`.'),
  region: optionalText().describe('Region that calls of kind `provider-b` are signed for. Absent: `cn-north-1`.'),
  max_in_flight: optionalCount().describe(
    'Videos and images that may run at this account at once; more are queued. Absent: no limit.',
  ),
  max_submitting: positive(DEFAULT_MAX_SUBMITTING).describe(
    'Concurrent submissions at this account, over all workers. Must be less than `tasks.concurrency`.',
  ),
});
