import { z } from 'zod';
import { CredentialSchema } from './credential-schema.ts';
import { flag, httpUrl, optionalCount, optionalText, positive } from './field-types.ts';
import { secureUrl } from './identity/identity-fields.ts';
import { IdentitySchema } from './identity/identity-schema.ts';
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
  identity: IdentitySchema.optional().describe(
    'An identity at a cloud, in place of `api_key`. See the table of identities.',
  ),
  credentials: z
    .array(CredentialSchema)
    .min(1)
    .optional()
    .describe('A pool of credentials, in place of `api_key`, `access_key`, `secret_key`, and `identity`.'),
  headers: HeadersSchema,
  quirks: QuirksSchema.optional().describe(
    "How the upstream's models differ from the protocol. See the table of quirks.",
  ),
  completions: flag().describe('Whether an upstream of kind `chat-completions` also serves `/completions`.'),
  vendor_batches: z
    .boolean()
    .optional()
    .describe(
      'Whether the vendor runs the batches of models whose first route is this upstream, at its price of batches. If omitted, workers send their requests. See [batches](batches.md#batches-of-vendors).',
    ),
  region: optionalText().describe('The region in the signatures of `provider-b`. If omitted, it is `cn-north-1`.'),
  output_uri: z
    .string()
    .regex(
      /^(?:gs|s3):\/\/[a-z0-9][\w.-]*(?:\/(?!\.{1,2}(?:\/|$))[^/]+)*\/?$/,
      'must be a folder in Cloud Storage or S3, e.g. `gs://bucket/folder` or `s3://bucket/folder`',
    )
    .optional()
    .describe(
      'The folder into which the cloud writes videos: in Cloud Storage for Vertex AI, and in S3 for Bedrock. If omitted, responses of Vertex AI contain the videos, and Bedrock generates none.',
    ),
  batch_role_arn: z
    .string()
    .regex(/^arn:aws(?:-[a-z-]+)?:iam::\d{12}:role\/[\w+=,.@/-]+$/, 'must be the ARN of a role')
    .optional()
    .describe(
      'The role with which Bedrock reads and writes the files of batches in `output_uri`. Batches of Bedrock require both fields, and a key pair.',
    ),
  s3_endpoint: secureUrl()
    .regex(/^[^?#@]*$/, 'must be a URL without a query, a fragment, and credentials')
    .optional()
    .describe(
      'The URL of S3, e.g. of a VPC endpoint, from which Sluice downloads videos of Bedrock. Sluice adds the bucket to its path. If omitted, it is that of the region.',
    ),
  max_in_flight: optionalCount().describe(
    'Maximum videos and images that run at this account at the same time. New tasks wait in the queue. Each credential of a pool is an account. If omitted, there is no limit.',
  ),
  max_submitting: positive(DEFAULT_MAX_SUBMITTING).describe(
    'Maximum concurrent submissions to this account, across all workers. Must be less than `tasks.concurrency`.',
  ),
});
