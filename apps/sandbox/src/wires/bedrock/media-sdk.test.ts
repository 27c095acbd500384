import {
  BedrockRuntimeClient,
  GetAsyncInvokeCommand,
  InvokeModelCommand,
  ListAsyncInvokesCommand,
  StartAsyncInvokeCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureImage } from '../../media/image/measure-image.ts';
import { renderImage } from '../../media/image/render-image.ts';
import { startSandbox } from '../../start-sandbox.ts';

const RENDER_MS = 20;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: RENDER_MS });
});
afterAll(() => sandbox.close());

const KEYS = { accessKeyId: 'ak-sandbox', secretAccessKey: 'sk-sandbox' };
const common = (credentials = KEYS) => ({
  region: 'us-east-1',
  maxAttempts: 1,
  requestHandler: new NodeHttpHandler(),
  credentials,
});
const bedrock = () => new BedrockRuntimeClient({ ...common(), endpoint: `${sandbox.url}/bedrock` });
const s3 = (credentials = KEYS) =>
  new S3Client({ ...common(credentials), endpoint: `${sandbox.url}/s3`, forcePathStyle: true });

const png = (width: number, height: number) => renderImage({ prompt: 'kite', width, height }).toString('base64');

async function invoke(body: object, modelId = 'amazon.nova-canvas-v1:0') {
  const response = await bedrock().send(new InvokeModelCommand({ modelId, body: JSON.stringify(body) }));
  return JSON.parse(response.body.transformToString()) as { images: string[]; error: string | null };
}
const textImage = (text: string, imageGenerationConfig: object = {}) => ({
  taskType: 'TEXT_IMAGE',
  textToImageParams: { text },
  imageGenerationConfig,
});
const sizesOf = (images: string[]) =>
  images.map((image) => {
    const { width, height } = measureImage(Buffer.from(image, 'base64')) ?? {};
    return `${width}x${height}`;
  });

describe('InvokeModel', () => {
  it('generates images in the requested size and number', async () => {
    const config = { numberOfImages: 2, width: 640, height: 320, seed: 5, quality: 'premium', cfgScale: 7 };
    const { images, error } = await invoke(textImage('a kite', config));
    expect([sizesOf(images), error]).toEqual([['640x320', '640x320'], null]);
  });

  it('varies and edits images', async () => {
    const variation = { taskType: 'IMAGE_VARIATION', imageVariationParams: { images: [png(400, 320)] } };
    expect(sizesOf((await invoke(variation)).images)).toEqual(['1024x1024']);
    const inPaintingParams = { image: png(400, 320), maskImage: png(400, 320), text: 'a boat' };
    expect(sizesOf((await invoke({ taskType: 'INPAINTING', inPaintingParams })).images)).toEqual(['400x320']);
  });

  it('returns the images that no filter blocks', async () => {
    const some = await invoke(textImage('a kite [partial]', { numberOfImages: 2 }));
    expect([some.images.length, some.error]).toEqual([1, expect.stringContaining('Some')]);
    const none = await invoke(textImage('a kite [moderated-output]'));
    expect([none.images, none.error]).toEqual([[], expect.stringContaining('All')]);
  });

  it.each<[string, object, string?]>([
    ['an unknown field', { ...textImage('a kite'), prompt: 'x' }],
    ['a long prompt', textImage('a'.repeat(1025))],
    ['a size with odd sides', textImage('a kite', { width: 1000, height: 1000 })],
    ['a size that Titan lacks', textImage('a kite', { width: 1024, height: 768 }), 'amazon.titan-image-generator-v2:0'],
    ['too many images', textImage('a kite', { numberOfImages: 6 })],
    ['a small image', { taskType: 'IMAGE_VARIATION', imageVariationParams: { images: [png(64, 64)] } }],
    ['a URL', { taskType: 'IMAGE_VARIATION', imageVariationParams: { images: ['https://a.example/b.png'] } }],
    [
      'a mask of another size',
      { taskType: 'INPAINTING', inPaintingParams: { image: png(400, 320), maskImage: png(320, 320) } },
    ],
    ['another model', textImage('a kite'), 'amazon.nova-lite-v1:0'],
    ['a blocked prompt', textImage('a kite [moderation]')],
  ])('refuses %s', async (_what, body, model) => {
    await expect(invoke(body, model)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it('throws the error of a failed model', async () => {
    await expect(invoke(textImage('a kite [fail]'))).rejects.toMatchObject({ name: 'ModelErrorException' });
  });
});

const s3Uri = 's3://my-bucket/one folder';
const inputOf = (text: string, config: object = { durationSeconds: 6, fps: 24, dimension: '1280x720' }) => ({
  taskType: 'TEXT_VIDEO',
  textToVideoParams: { text },
  videoGenerationConfig: config,
});
const start = (modelInput: object, more: { token?: string; modelId?: string; uri?: string } = {}) =>
  bedrock().send(
    new StartAsyncInvokeCommand({
      modelId: more.modelId ?? 'amazon.nova-reel-v1:1',
      // The cast is safe because the input is JSON.
      modelInput: modelInput as never,
      clientRequestToken: more.token,
      outputDataConfig: { s3OutputDataConfig: { s3Uri: more.uri ?? s3Uri } },
    }),
  );
const poll = (invocationArn: string | undefined) => bedrock().send(new GetAsyncInvokeCommand({ invocationArn }));

async function ended(invocationArn: string | undefined) {
  await expect.poll(async () => (await poll(invocationArn)).status).not.toBe('InProgress');
  return poll(invocationArn);
}

async function finished(text: string, uri?: string) {
  const { invocationArn } = await start(inputOf(text), uri === undefined ? {} : { uri });
  const { status, outputDataConfig } = await ended(invocationArn);
  const [, bucket, folder] = /^s3:\/\/([^/]+)\/(.*)$/.exec(outputDataConfig?.s3OutputDataConfig?.s3Uri ?? '') ?? [];
  return { status, command: new GetObjectCommand({ Bucket: bucket, Key: `${folder}/output.mp4` }) };
}

describe('StartAsyncInvoke', () => {
  it('generates a video, which is in S3', async () => {
    const running = await start(inputOf('a kite [stall]'), { token: 'first' });
    expect(running.invocationArn).toMatch(/^arn:aws:bedrock:us-east-1:\d{12}:async-invoke\/[a-z0-9]{12}$/);
    expect(await poll(running.invocationArn)).toMatchObject({ status: 'InProgress', clientRequestToken: 'first' });
    const { invocationArn } = await start(inputOf('a kite'));
    const { status, submitTime, endTime, outputDataConfig } = await ended(invocationArn);
    expect([status, Number(endTime) - Number(submitTime)]).toEqual(['Completed', RENDER_MS]);
    const folder = outputDataConfig?.s3OutputDataConfig?.s3Uri?.slice('s3://my-bucket/'.length);
    const command = new GetObjectCommand({ Bucket: 'my-bucket', Key: `${folder}/output.mp4` });
    const file = Buffer.from((await (await s3().send(command)).Body?.transformToByteArray()) ?? []);
    expect(file.toString('latin1', 4, 8)).toBe('ftyp');
  });

  it('returns the invocation of a token again, and refuses another request with it', async () => {
    const first = await start(inputOf('a kite'), { token: 'twice' });
    expect((await start(inputOf('a kite'), { token: 'twice' })).invocationArn).toBe(first.invocationArn);
    await expect(start(inputOf('a boat'), { token: 'twice' })).rejects.toMatchObject({ name: 'ConflictException' });
  });

  it('is listed with its token, newest first, by pages', async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const submitTimeAfter = new Date(Date.now() - 1);
    for (const token of ['one', 'two', 'three']) await start(inputOf('a kite [stall]'), { token });
    const list = (more: object = {}) =>
      bedrock().send(
        new ListAsyncInvokesCommand({ submitTimeAfter, sortBy: 'SubmissionTime', maxResults: 2, ...more }),
      );
    const { asyncInvokeSummaries: first = [], nextToken } = await list();
    const { asyncInvokeSummaries: second = [], nextToken: last } = await list({ nextToken });
    expect([first, second].map((page) => page.map((one) => one.clientRequestToken))).toEqual([
      ['three', 'two'],
      ['one'],
    ]);
    expect(last).toBeUndefined();
    expect((await list({ statusEquals: 'Completed' })).asyncInvokeSummaries).toEqual([]);
  });

  it('generates longer videos, and those of Luma', async () => {
    const long = { taskType: 'MULTI_SHOT_AUTOMATED', multiShotAutomatedParams: { text: 'a'.repeat(600) } };
    const videoGenerationConfig = { durationSeconds: 12, fps: 24, dimension: '1280x720' };
    expect(await start({ ...long, videoGenerationConfig })).toHaveProperty('invocationArn');
    const data = renderImage({ prompt: 'kite', width: 512, height: 512 }).toString('base64');
    const frame0 = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const luma = { prompt: 'a kite', duration: '9s', resolution: '540p', keyframes: { frame0 } };
    expect(await start(luma, { modelId: 'luma.ray-v2:0' })).toHaveProperty('invocationArn');
  });

  it.each<[string, object, string?]>([
    ['another duration', inputOf('a kite', { durationSeconds: 12, fps: 24, dimension: '1280x720' })],
    ['a long prompt', inputOf('a'.repeat(513))],
    ['an unknown field', { ...inputOf('a kite'), prompt: 'x' }],
    ['another model', inputOf('a kite'), 'amazon.nova-lite-v1:0'],
    ['a duration that Luma lacks', { prompt: 'a kite', duration: '6s' }, 'luma.ray-v2:0'],
    ['a blocked prompt', inputOf('a kite [moderation]')],
  ])('refuses %s', async (_what, input, modelId) => {
    await expect(start(input, modelId === undefined ? {} : { modelId })).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  it('fails on demand', async () => {
    await expect(start(inputOf('a kite'), { uri: 's3://missing/a' })).rejects.toThrow('Invalid Output Config');
    await expect(start(inputOf('a kite [429]'))).rejects.toMatchObject({ name: 'ThrottlingException' });
    await expect(start(inputOf('a kite [503]'))).rejects.toMatchObject({ name: 'ServiceUnavailableException' });
    await expect(start(inputOf('a kite [balance]'))).rejects.toMatchObject({ name: 'AccessDeniedException' });
    const { invocationArn } = await start(inputOf('a kite [moderated-output]'));
    const { status, failureMessage } = await ended(invocationArn);
    expect([status, failureMessage]).toEqual(['Failed', expect.stringContaining('content filters')]);
  });

  it.each([
    ['a kite', 's3://denied-bucket/videos', 'AccessDenied'],
    ['a kite', 's3://outage-bucket/videos', 'SlowDown'],
    ['a kite [expire]', undefined, 'NoSuchKey'],
  ])('has %s in the folder %s, which S3 refuses: %s', async (text, uri, name) => {
    const { status, command } = await finished(text, uri);
    expect(status).toBe('Completed');
    await expect(s3().send(command)).rejects.toMatchObject({ name });
  });

  it('is read only with a valid credential', async () => {
    const { command } = await finished('a kite');
    const refusal = (credentials: typeof KEYS) => expect(s3(credentials).send(command)).rejects;
    await refusal({ ...KEYS, secretAccessKey: 'wrong' }).toMatchObject({ name: 'SignatureDoesNotMatch' });
    await refusal({ ...KEYS, accessKeyId: 'unknown' }).toMatchObject({ name: 'InvalidAccessKeyId' });
    const unsigned = await fetch(`${sandbox.url}/s3/my-bucket/a/output.mp4`);
    expect([unsigned.status, await unsigned.text()]).toEqual([
      403,
      expect.stringContaining('<Code>AccessDenied</Code>'),
    ]);
  });
});
