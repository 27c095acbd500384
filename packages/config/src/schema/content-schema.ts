import { z } from 'zod';
import { flag, httpUrl, optionalText, section } from './field-types.ts';

const S3Schema = z.strictObject({
  bucket: z.string().min(1).describe('The name of the bucket.'),
  region: z
    .string()
    .min(1)
    .default('us-east-1')
    .describe('The region of the bucket. Stores without regions accept any value.'),
  endpoint: httpUrl()
    .optional()
    .describe('The URL of an S3-compatible store. If omitted, Sluice uses Amazon S3 in the region.'),
  access_key: optionalText().describe(
    'The id of the access key. If you omit the id and the secret, Sluice reads credentials from the environment, as AWS tools do.',
  ),
  secret_key: optionalText().describe('The secret of the access key.'),
  prefix: z
    .string()
    .regex(/^(?:[\w.-]+(?:\/[\w.-]+)*)?$/, 'may contain letters, digits, `_`, `.`, and `-`, separated by `/`')
    .default('')
    .describe('The key prefix of all objects in the bucket.'),
  path_style: flag().describe("Whether the bucket's name is in the path instead of the host name, as MinIO requires."),
  redirect: flag().describe('Whether Sluice redirects clients to a signed URL of the store when they download a file.'),
  redirect_ms: z
    .int()
    .min(1_000)
    .max(604_800_000, 'must be at most 604800000 (seven days): no store signs URLs for longer')
    .default(300_000)
    .describe('The lifetime of a signed URL in milliseconds, at most seven days.'),
});

export const ContentSchema = section({
  dir: optionalText().describe(
    'The folder of the content store, relative to the working folder. It must exist. If omitted, it is `content` in the data folder.',
  ),
  s3: S3Schema.refine(({ access_key, secret_key }) => (access_key === undefined) === (secret_key === undefined), {
    message: 'must have both `access_key` and `secret_key`, or neither',
  }).optional(),
});
