import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  type VendorBatchCapability,
  type VendorBatchContent,
  type VendorBatchEnd,
  type VendorPoll,
  type VendorResult,
  VendorResultsGoneError,
} from '@sluice/canonical';
import { z } from 'zod';
import { encodeSegment } from '../cloud/aws/encode-segment.ts';
import { objectUrl } from '../cloud/aws/s3-object.ts';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import { bodyTimeoutMs } from '../http/body-timeout.ts';
import { createBatchCaller } from './batch-caller.ts';

/** The quotas of Bedrock for the records of a job and the size of a file. */
const MIN_RECORDS = 100;
const MAX_RECORDS = 50_000;
const MAX_BYTES = 1024 ** 3;
const INPUT = 'input.jsonl';
const TYPE = 'application/jsonl';

const CreatedSchema = z.object({ jobArn: z.string().min(1) });
const JobSchema = z.object({
  status: z.string(),
  message: z.string().nullish(),
  processedRecordCount: z.number().nullish(),
});
const PageSchema = z.object({
  invocationJobSummaries: z.array(z.object({ jobArn: z.string(), clientRequestToken: z.string().nullish() })).nullish(),
});
const ResultSchema = z.object({
  recordId: z.string(),
  modelOutput: z.unknown().optional(),
  error: z.object({ errorCode: z.number(), errorMessage: z.string(), expired: z.boolean().nullish() }).optional(),
});

export interface JobSettings {
  /** The folder in S3 for input and output, e.g. `s3://bucket/folder`. */
  folder: string;
  /** The role with which Bedrock reads and writes this folder. */
  roleArn: string;
  /** The URL of S3. */
  endpoint: string;
  /** The URL of Bedrock's API for jobs. */
  controlUrl: string;
}

/**
 * Batch inference of Bedrock. Its input and output are in S3.
 * @param signed returns a context that signs calls to the origin of a URL
 */
export function invocationJobs(
  account: UpstreamAccount,
  signed: (baseUrl: string) => UpstreamContext,
  { folder: folderUri, roleArn, endpoint, controlUrl }: JobSettings,
): VendorBatchCapability {
  const folder = folderUri.replace(/\/+$/, '');
  const storageContext = signed(endpoint);
  const jobs = createBatchCaller({ ...account, base_url: controlUrl }, signed(controlUrl), () => ({}));
  const storage = createBatchCaller({ ...account, base_url: endpoint, headers: {} }, storageContext, () => ({}));
  const open = (uri: string, signal: AbortSignal) =>
    storage.open((objectUrl(endpoint, uri) ?? '').slice(endpoint.length), signal);
  return {
    maxRequests: MAX_RECORDS,
    maxBytes: MAX_BYTES,
    framing: ['', '\n', '\n'],
    encode: (key, request) => `{"recordId":${JSON.stringify(key)},"modelInput":${request}}`,
    async upload({ batchId, requests, content }, signal) {
      if (requests < MIN_RECORDS) return { kind: 'refused', reason: `fewer than ${MIN_RECORDS} requests` };
      const uri = `${folder}/${batchId}/${INPUT}`;
      const url = objectUrl(endpoint, uri) ?? '';
      const sha256 = await hashOf(content);
      const source = content.read();
      const body = { kind: 'stream', contentType: TYPE, bytes: content.bytes, source, sha256 } as const;
      const timeoutMs = bodyTimeoutMs(storageContext.timeouts.submitMs, content.bytes);
      const call = () => storageContext.fetchUpstream({ method: 'PUT', url, body, timeoutMs, signal });
      return storage.prepare(call, () => ({ kind: 'uploaded', name: uri }) as const);
    },
    submit({ batchId, model, uploaded }, signal) {
      const json = {
        jobName: jobNameOf(batchId),
        clientRequestToken: batchId,
        roleArn,
        modelId: model,
        modelInvocationType: 'Converse',
        inputDataConfig: { s3InputDataConfig: { s3InputFormat: 'JSONL', s3Uri: uploaded } },
        outputDataConfig: { s3OutputDataConfig: { s3Uri: `${folder}/` } },
      };
      const call = () => jobs.send({ method: 'POST', path: '/model-invocation-job', json }, batchId, signal);
      return jobs.submit(call, (body) => {
        const { data } = CreatedSchema.safeParse(body);
        return data && ({ kind: 'accepted', id: data.jobArn } as const);
      });
    },
    async find({ batchId }, signal) {
      const path = `/model-invocation-jobs?nameContains=${jobNameOf(batchId)}`;
      const { status, body } = await jobs.send({ method: 'GET', path }, batchId, signal);
      const { data } = PageSchema.safeParse(body);
      if (status !== 200 || !data) return { kind: 'unclear', reason: `HTTP ${status}` };
      const job = data.invocationJobSummaries?.find(({ clientRequestToken: token }) => token === batchId);
      return job ? { kind: 'found', id: job.jobArn } : { kind: 'missing' };
    },
    async poll(arn, signal) {
      const { status, body } = await jobs.send({ method: 'GET', path: pathOf(arn) }, arn, signal);
      const { data } = JobSchema.safeParse(body);
      if (status !== 200 || !data) return { kind: 'unclear', reason: `HTTP ${status}` };
      // The reported folder is not used, so that a response cannot name another bucket, which the credential could read.
      const uri = `${folder}/${arn.split('/').at(-1) ?? ''}/${INPUT}.out`;
      return pollOf(data, uri, () => isMissing(open(uri, signal)));
    },
    cancel: (arn, signal) => jobs.cancel(`${pathOf(arn)}/stop`, arn, signal),
    openResults: open,
    readResult(line) {
      const { data } = ResultSchema.safeParse(line);
      return data && resultOf(data);
    },
  };
}

/** S3 requires the hash of an object in the signature of its upload. */
async function hashOf(content: VendorBatchContent): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content.read()) hash.update(chunk);
  return hash.digest('hex');
}

/** Names of jobs have letters, digits, and hyphens. */
function jobNameOf(batchId: string): string {
  return `sluice-${batchId.replaceAll(/[^a-zA-Z0-9]/g, '-')}`;
}

function pathOf(arn: string): string {
  return `/model-invocation-job/${encodeSegment(arn)}`;
}

const ENDS: Readonly<Record<string, VendorBatchEnd | undefined>> = {
  Completed: 'completed',
  Failed: 'completed',
  // The job timed out, after or before it began.
  PartiallyCompleted: 'expired',
  Expired: 'expired',
  Stopped: 'cancelled',
};

async function isMissing(object: Promise<Readable>): Promise<boolean> {
  try {
    (await object).destroy();
    return false;
  } catch (error) {
    if (error instanceof VendorResultsGoneError) return true;
    throw error;
  }
}

/** @param hasNoOutput called if the job does not report whether it processed records, which must not be sent again */
async function pollOf(
  { status, message, processedRecordCount: processed }: z.output<typeof JobSchema>,
  uri: string,
  hasNoOutput: () => Promise<boolean>,
): Promise<VendorPoll> {
  if (status === 'Failed' && (processed == null ? await hasNoOutput() : processed === 0)) {
    return { kind: 'failed', reason: message ?? status };
  }
  const end = ENDS[status];
  if (end === undefined) return { kind: 'running' };
  // A job that processed nothing has no output.
  return { kind: 'ended', end, sources: processed === 0 || status === 'Expired' ? [] : [uri] };
}

function resultOf({ recordId: key, modelOutput: body, error }: z.output<typeof ResultSchema>): VendorResult {
  if (!error) return { key, status: 200, body };
  if (error.expired) return { key, code: 'batch_expired' };
  const { errorCode, errorMessage: message } = error;
  return { key, status: errorCode >= 400 && errorCode < 600 ? errorCode : 500, body: { message } };
}
