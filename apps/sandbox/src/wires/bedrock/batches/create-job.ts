import { z } from 'zod';
import { checkBody } from '../../../schema/check-body.ts';
import { invalidBedrock } from '../bedrock-error.ts';

const S3Uri = z.string().regex(/^s3:\/\/[a-z0-9][.\-a-z0-9]{1,61}[a-z0-9]\/.*$/);
const CreateSchema = z.strictObject({
  jobName: z.string().regex(/^[a-zA-Z0-9]{1,63}(?:-*[a-zA-Z0-9+\-.]){0,63}$/),
  roleArn: z.string().regex(/^arn:aws(?:-[^:]+)?:iam::\d{12}:role\/.+$/),
  clientRequestToken: z.string().min(1).max(256).optional(),
  modelId: z.string().min(1),
  modelInvocationType: z.enum(['InvokeModel', 'Converse']).default('InvokeModel'),
  inputDataConfig: z.strictObject({
    s3InputDataConfig: z.strictObject({
      s3InputFormat: z.literal('JSONL').optional(),
      s3Uri: S3Uri,
      s3BucketOwner: z.string().optional(),
    }),
  }),
  outputDataConfig: z.strictObject({
    s3OutputDataConfig: z.strictObject({
      s3Uri: S3Uri,
      s3EncryptionKeyId: z.string().optional(),
      s3BucketOwner: z.string().optional(),
    }),
  }),
  timeoutDurationInHours: z.int().min(24).max(168).default(24),
  tags: z.array(z.looseObject({})).optional(),
  vpcConfig: z.looseObject({}).optional(),
});

/** The body of `CreateModelInvocationJob`. */
export type CreateJob = z.output<typeof CreateSchema>;

/** @throws WireError 400 */
export function readCreation(body: unknown): CreateJob {
  const job = checkBody(CreateSchema, body, ({ field, message }) =>
    invalidBedrock(`1 validation error detected: Value at '${field}' failed to satisfy constraint: ${message}`),
  );
  if (job.modelInvocationType === 'InvokeModel' && !/anthropic\.|amazon\.nova/.test(job.modelId)) {
    throw invalidBedrock('The sandbox invokes only models of Anthropic and Nova. Use the invocation type Converse.');
  }
  return job;
}
