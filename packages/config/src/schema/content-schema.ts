import { z } from 'zod';
import { flag, httpUrl, optionalText, section } from './field-types.ts';

const S3Schema = z.strictObject({
  bucket: z.string().min(1).describe('Name of the bucket.'),
  region: z.string().min(1).default('us-east-1').describe('Region of the bucket; stores without regions take any.'),
  endpoint: httpUrl().optional().describe('URL of an S3-compatible store. Absent: Amazon S3 in the region.'),
  access_key: optionalText().describe(
    'Id of the access key. If both are absent, credentials come from the environment as in AWS tools.',
  ),
  secret_key: optionalText().describe('Secret of the access key.'),
  prefix: z
    .string()
    .regex(/^(?:[\w.-]+(?:\/[\w.-]+)*)?$/, 'may contain letters, digits, `_`, `.`, and `-`, separated by `/`')
    .default('')
    .describe('Key prefix of all objects in the bucket.'),
  path_style: flag().describe("Whether the bucket's name is in the path instead of the host name, as MinIO requires."),
  redirect: flag().describe('Whether clients are redirected to a signed URL of the store to read a finished file.'),
  redirect_ms: z
    .int()
    .min(1_000)
    .max(604_800_000, 'must be at most 604800000 (seven days): no store signs URLs for longer')
    .default(300_000)
    .describe('Lifetime of a signed URL in milliseconds; at most seven days.'),
});

export const ContentSchema = section({
  dir: optionalText().describe(
    'Folder of the content store, relative to the working folder. Absent: `content` in the data folder.',
  ),
  s3: S3Schema.refine(({ access_key, secret_key }) => (access_key === undefined) === (secret_key === undefined), {
    message: 'needs `access_key` and `secret_key`, or neither',
  }).optional(),
});
