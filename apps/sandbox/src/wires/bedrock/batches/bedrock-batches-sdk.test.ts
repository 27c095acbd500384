import { setTimeout as sleep } from 'node:timers/promises';
import {
  BedrockClient,
  CreateModelInvocationJobCommand,
  type CreateModelInvocationJobCommandInput,
  GetModelInvocationJobCommand,
  type GetModelInvocationJobCommandOutput,
  ListModelInvocationJobsCommand,
  StopModelInvocationJobCommand,
} from '@aws-sdk/client-bedrock';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 20 });
});
afterAll(() => sandbox.close());

const common = () => ({
  region: 'us-east-1',
  maxAttempts: 1,
  requestHandler: new NodeHttpHandler(),
  credentials: { accessKeyId: 'ak-sandbox', secretAccessKey: 'sk-sandbox' },
});
const bedrock = () => new BedrockClient({ ...common(), endpoint: `${sandbox.url}/bedrock` });
const s3 = () => new S3Client({ ...common(), endpoint: `${sandbox.url}/s3`, forcePathStyle: true });

const BUCKET = 'batches';

/** A hundred records, the fewest of a job, in the format of Converse. */
function records(first: string, others = 'hi'): string {
  const lines = Array.from({ length: 100 }, (_, at) => ({
    recordId: `record-${at}`,
    modelInput: { messages: [{ role: 'user', content: [{ text: at === 0 ? first : others }] }] },
  }));
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

async function create(body: string, more: Partial<CreateModelInvocationJobCommandInput> = {}): Promise<string> {
  await s3().send(new PutObjectCommand({ Bucket: BUCKET, Key: 'in/lines.jsonl', Body: body }));
  const { jobArn = '' } = await bedrock().send(
    new CreateModelInvocationJobCommand({
      jobName: 'a-job',
      roleArn: 'arn:aws:iam::123456789012:role/batches',
      modelId: 'amazon.nova-pro-v1:0',
      modelInvocationType: 'Converse',
      inputDataConfig: { s3InputDataConfig: { s3Uri: `s3://${BUCKET}/in/lines.jsonl` } },
      outputDataConfig: { s3OutputDataConfig: { s3Uri: `s3://${BUCKET}/out/` } },
      ...more,
    }),
  );
  return jobArn;
}

const list = (query: object) => bedrock().send(new ListModelInvocationJobsCommand(query));

const get = (jobIdentifier: string) => bedrock().send(new GetModelInvocationJobCommand({ jobIdentifier }));

async function ended(arn: string): Promise<GetModelInvocationJobCommandOutput> {
  for (;;) {
    const job = await get(arn);
    if (job.endTime !== undefined) return job;
    await sleep(5);
  }
}

interface Result {
  recordId: string;
  modelOutput?: object;
  error?: object;
}

async function read(arn: string, name: string): Promise<string> {
  const Key = `out/${arn.split('/').at(-1)}/${name}`;
  const { Body } = await s3().send(new GetObjectCommand({ Bucket: BUCKET, Key }));
  return (await Body?.transformToString()) ?? '';
}

async function results(arn: string): Promise<Map<string, Result>> {
  const lines = (await read(arn, 'lines.jsonl.out')).split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => JSON.parse(line) as Result).map((result) => [result.recordId, result]));
}

async function taskOf(arn: string): Promise<unknown> {
  const response = await fetch(`${sandbox.url}/_sandbox/batches`);
  const { batches } = (await response.json()) as { batches: { upstream_ids: string[] }[] };
  return batches.find(({ upstream_ids: ids }) => ids.includes(arn.split('/').at(-1) ?? ''));
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
}

describe('model invocation jobs', () => {
  it('read an object, and write the results and the manifest', async () => {
    const arn = await create(records('one [context]'));
    const job = await ended(arn);
    expect(job).toMatchObject({ jobArn: arn, jobName: 'a-job', status: 'Completed', modelInvocationType: 'Converse' });
    const found = await results(arn);
    expect(found.size).toBe(100);
    expect(found.get('record-0')).toMatchObject({ error: { errorCode: 400, expired: false }, modelInput: {} });
    expect(found.get('record-99')).toMatchObject({
      modelOutput: { output: { message: { content: [{ text: 'You said: hi' }] } } },
      modelInput: { messages: [{ role: 'user' }] },
    });
    const manifest = JSON.parse(await read(arn, 'manifest.json.out')) as object;
    expect(manifest).toMatchObject({ totalRecordCount: 100, successRecordCount: 99, errorRecordCount: 1 });
    expect(await taskOf(arn)).toMatchObject({ wire: 'bedrock-batches', repeated_lines: [] });
  });

  it('invoke Claude in its own format', async () => {
    const modelInput = {
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'hi' }],
    };
    const lines = Array.from({ length: 100 }, (_, at) => JSON.stringify({ recordId: `claude-${at}`, modelInput }));
    const modelId = 'us.anthropic.claude-sonnet-4-20250514-v1:0';
    const arn = await create(lines.join('\n'), { modelId, modelInvocationType: 'InvokeModel' });
    expect(await ended(arn)).toMatchObject({ status: 'Completed', modelId });
    expect((await results(arn)).get('claude-7')).toMatchObject({ modelInput, modelOutput: { type: 'message' } });
  });

  it('return the job of a known token, and refuse another request with it', async () => {
    const arn = await create(records('token'), { clientRequestToken: 'one' });
    expect(await create(records('token'), { clientRequestToken: 'one' })).toBe(arn);
    expect(await failure(create(records('x'), { clientRequestToken: 'one', jobName: 'b' }))).toBe('ConflictException');
  });

  it('fail without enough records, and are refused without an object', async () => {
    const arn = await create('{"recordId":"a","modelInput":{}}');
    expect(await ended(arn)).toMatchObject({ status: 'Failed', message: expect.stringContaining('minimum of: 100') });
    const inputDataConfig = { s3InputDataConfig: { s3Uri: 's3://batches/missing.jsonl' } };
    expect(await failure(create('', { inputDataConfig }))).toBe('ValidationException');
    expect(await failure(create('', { jobName: 'a b' }))).toBe('ValidationException');
    expect(await failure(get('missing'))).toBe('ResourceNotFoundException');
  });

  it('are listed by name and status', async () => {
    const arn = await create(records('list'), { jobName: 'listed' });
    await ended(arn);
    const { invocationJobSummaries: named } = await list({ nameContains: 'liste', statusEquals: 'Completed' });
    expect(named?.map(({ jobArn }) => jobArn)).toEqual([arn]);
    const { nextToken } = await list({ maxResults: 1 });
    expect((await list({ maxResults: 1, nextToken })).invocationJobSummaries?.[0]?.jobArn).not.toBe(arn);
  });

  it('stop with the results so far', async () => {
    const arn = await create(records('stop [batch:stall]'));
    await expect.poll(async () => (await get(arn)).successRecordCount).toBe(50);
    await bedrock().send(new StopModelInvocationJobCommand({ jobIdentifier: arn }));
    expect((await ended(arn)).status).toBe('Stopped');
    expect((await results(arn)).size).toBe(50);
    expect(await failure(bedrock().send(new StopModelInvocationJobCommand({ jobIdentifier: arn })))).toBe(
      'ConflictException',
    );
  });

  it('time out with the results so far', async () => {
    const arn = await create(records('time [batch:expire]'));
    expect((await ended(arn)).status).toBe('PartiallyCompleted');
    const found = [...(await results(arn)).values()];
    expect(found.filter(({ modelOutput }) => modelOutput)).toHaveLength(50);
    expect(found.find(({ error }) => error)).toMatchObject({ error: { expired: true } });
  });

  it('apply the directives of creations', async () => {
    const lost = { jobName: 'lost', clientRequestToken: 'lost' };
    const dropped = await failure(create(records('[batch:lost-reply]'), lost));
    expect(dropped).not.toMatch(/Exception/);
    const arn = await create(records('[batch:lost-reply]'), lost);
    expect(await ended(arn)).toMatchObject({ jobName: 'lost', status: 'Completed' });
    expect(await failure(create(records('[batch:429]')))).toBe('ThrottlingException');
    expect(await failure(create(records('[batch:refused]')))).toBe('ValidationException');
  });
});

describe('S3', () => {
  it('stores, lists, and deletes objects', async () => {
    const object = { Bucket: BUCKET, Key: 'a/b & c.txt' };
    const { ETag } = await s3().send(new PutObjectCommand({ ...object, Body: 'hello' }));
    expect(await s3().send(new HeadObjectCommand(object))).toMatchObject({ ETag, ContentLength: 5 });
    const { Contents } = await s3().send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: 'a/' }));
    expect(Contents).toMatchObject([{ Key: object.Key, Size: 5, ETag }]);
    await s3().send(new DeleteObjectCommand(object));
    expect(await failure(s3().send(new GetObjectCommand(object)))).toBe('NoSuchKey');
    const denied = new PutObjectCommand({ Bucket: 'denied', Key: 'a', Body: 'x' });
    expect(await failure(s3().send(denied))).toBe('AccessDenied');
  });
});
