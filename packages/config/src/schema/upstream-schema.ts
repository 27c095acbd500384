import { z } from 'zod';
import { UPSTREAM_KINDS } from './kinds.ts';
import { QuirksSchema } from './quirks-schema.ts';

/** Less than the default of `tasks.concurrency`. */
export const DEFAULT_MAX_SUBMITTING = 16;

/** Headers of the connection or the body, which cannot be configured. */
const OWN_HEADERS = /^(?:host|connection|keep-alive|content-length|transfer-encoding|upgrade|expect|te|trailer)$/i;

const HeadersSchema = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is no name of a header')
      .refine((name) => !OWN_HEADERS.test(name), 'is a header that Sluice sets itself'),
    z.string().regex(/^[\t\x20-\x7E\x80-\xFF]*$/, 'may hold no line breaks and only Latin letters'),
  )
  .optional()
  .describe("Headers to send with every call of text, before the kind's own of the same name. Taken for secrets.");

export const UpstreamSchema = z.strictObject({
  kind: z.enum(UPSTREAM_KINDS).describe('The API that the upstream speaks.'),
  base_url: z
    .url({ protocol: /^https?$/ })
    .describe('Where the API begins; for which kinds its version part belongs to it stands below.'),
  api_key: z.string().min(1).optional().describe('Credential of upstreams that take one key.'),
  access_key: z.string().min(1).optional().describe('First half of the credential of upstreams that take a pair.'),
  secret_key: z.string().min(1).optional().describe('Second half of the credential of upstreams that take a pair.'),
  headers: HeadersSchema,
  quirks: QuirksSchema.optional().describe('How its models differ from the protocol; the fields stand below.'),
  completions: z
    .boolean()
    .default(false)
    .describe('Whether an upstream of kind `chat-completions` has the older `/completions` too.'),
  region: z
    .string()
    .min(1)
    .optional()
    .describe('Region that calls of kind `provider-b` are signed for. Absent: `cn-north-1`.'),
  max_in_flight: z
    .int()
    .min(1)
    .optional()
    .describe('Videos and images that may run at this account at once; more wait their turn. Absent: no cap.'),
  max_submitting: z
    .int()
    .min(1)
    .default(DEFAULT_MAX_SUBMITTING)
    .describe('Submissions under way at this account at once, over all workers. Less than `tasks.concurrency`.'),
});
