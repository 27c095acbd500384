import type { ImageRequest, VideoRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import {
  imageParams,
  type JsonResponse,
  jsonVendor,
  MEDIA_KEY,
  mediaJob,
  mediaRig,
  videoParams,
} from '../../test/media-rig.ts';
import { image, NEVER } from '../../test/videos-rig.ts';

const CANVAS = 'amazon.nova-canvas-v1:0';
const ARN = 'arn:aws:bedrock:us-east-1:123456789012:async-invoke/abcdef123456';
const DATA = Buffer.from('bytes').toString('base64');

async function rigFor(respond: () => JsonResponse, more: object = {}) {
  const vendor = await jsonVendor(respond);
  const keys = { access_key: 'AKIDEXAMPLE', secret_key: MEDIA_KEY };
  const storage = { output_uri: 's3://bucket/one folder', s3_endpoint: `${vendor.origin}/s3/` };
  const rig = mediaRig({ kind: 'bedrock', base_url: vendor.origin, ...keys, ...storage, ...more });
  return {
    vendor,
    image: rig.image,
    video: rig.video,
    [Symbol.asyncDispose]: async () => {
      await rig[Symbol.asyncDispose]();
      await vendor[Symbol.asyncDispose]();
    },
  };
}

describe('an image', () => {
  async function bodyOf(request: Partial<ImageRequest>, roles: ('reference' | 'mask')[] = []) {
    await using rig = await rigFor(() => ({ body: { images: [DATA], error: null } }));
    const images = roles.map((role) => image('bytes', role));
    await rig.image.submit(imageParams(request, { model: CANVAS, images }), NEVER);
    return rig.vendor.recorded[0];
  }

  it('is requested with a signature, and with a seed of the attempt', async () => {
    const one = await bodyOf({
      negativePrompt: 'rain',
      metadata: { cfgScale: 7, style: 'PHOTOREALISM', taskType: 'x' },
    });
    expect(one?.url).toBe('/model/amazon.nova-canvas-v1%3A0/invoke');
    expect(one?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 .*\/us-east-1\/bedrock\/aws4_request/);
    const seed = expect.any(Number) as number;
    expect(one?.body).toEqual({
      taskType: 'TEXT_IMAGE',
      textToImageParams: { text: 'a red kite', negativeText: 'rain', style: 'PHOTOREALISM' },
      imageGenerationConfig: { numberOfImages: 1, cfgScale: 7, seed },
    });
    const again = await bodyOf({
      seed: 5,
      metadata: { imageGenerationConfig: { seed: 6, numberOfImages: 9, cfgScale: 8 } },
    });
    expect(again?.body).toMatchObject({ imageGenerationConfig: { numberOfImages: 1, cfgScale: 8, seed: 5 } });
  });

  it('is requested with images, and with a mask', async () => {
    const variation = await bodyOf({ metadata: { similarityStrength: 0.5 } }, ['reference', 'reference']);
    expect(variation?.body).toMatchObject({
      taskType: 'IMAGE_VARIATION',
      imageVariationParams: { text: 'a red kite', images: [DATA, DATA], similarityStrength: 0.5 },
    });
    const edit = await bodyOf({}, ['reference', 'mask']);
    expect(edit?.body).toMatchObject({ taskType: 'INPAINTING', inPaintingParams: { image: DATA, maskImage: DATA } });
  });

  it.each<[string, JsonResponse, object]>([
    [
      'some images are blocked',
      { body: { images: [DATA], error: 'Some images have been blocked by our content filters.' } },
      { kind: 'returned', outputs: [{ bytes: Buffer.from('bytes') }, { error: { code: 'content_policy' } }] },
    ],
    [
      'all images are blocked',
      { body: { images: [], error: 'All blocked.' } },
      { kind: 'rejected', code: 'content_policy' },
    ],
    ['there are no images', { body: { images: [], error: null } }, { kind: 'rejected', code: 'provider_error' }],
    ['the response is no list', { body: { status: 'odd' } }, { kind: 'unknown' }],
    ['the model fails', error(424, 'ModelErrorException'), { kind: 'rejected', code: 'provider_error' }],
    ['the model is not ready', error(429, 'ModelNotReadyException'), { kind: 'busy', code: 'provider_error' }],
    ['there is no access', error(403, 'AccessDeniedException'), { kind: 'account', code: 'provider_auth' }],
    ['the quota is reached', error(400, 'ServiceQuotaExceededException'), { kind: 'busy', code: 'rate_limited' }],
    ['the model is too slow', error(408, 'ModelTimeoutException'), { kind: 'unknown' }],
  ])('has an outcome if %s', async (_what, response, outcome) => {
    await using rig = await rigFor(() => response);
    expect(await rig.image.submit(imageParams({ n: 2 }, { model: CANVAS }), NEVER)).toMatchObject(outcome);
  });

  it('is requested with an API key, while videos are signed', async () => {
    await using rig = await rigFor(() => ({ body: {} }), { api_key: 'bedrock-key' });
    await rig.image.submit(imageParams({}, { model: CANVAS }), NEVER);
    await rig.video.submit(videoParams({}, { model: 'amazon.nova-reel-v1:1' }), NEVER);
    expect(rig.vendor.recorded.map(({ headers }) => headers.authorization?.slice(0, 18))).toEqual([
      'Bearer bedrock-key',
      'AWS4-HMAC-SHA256 C',
    ]);
  });
});

function error(status: number, exception: string): JsonResponse {
  return { status, body: { __type: `com.amazon#${exception}`, message: 'why' } };
}

async function inputOf(model: string, request: Partial<VideoRequest>, roles: ('first_frame' | 'last_frame')[] = []) {
  await using rig = await rigFor(() => ({ body: { invocationArn: ARN } }));
  const images = roles.map((role) => image('bytes', role));
  const outcome = await rig.video.submit(videoParams(request, { model, images }), NEVER);
  expect(outcome).toMatchObject({ kind: 'accepted', upstreamId: ARN, path: 's3://bucket/one folder' });
  return rig.vendor.recorded[0]?.body;
}

describe('a video', () => {
  it('is submitted with the token of the attempt', async () => {
    const body = await inputOf('amazon.nova-reel-v1:1', { seed: 4 }, ['first_frame']);
    expect(body).toEqual({
      clientRequestToken: 'video_task1-1',
      modelId: 'amazon.nova-reel-v1:1',
      modelInput: {
        taskType: 'TEXT_VIDEO',
        textToVideoParams: { text: 'a red kite', images: [{ format: 'png', source: { bytes: DATA } }] },
        videoGenerationConfig: { durationSeconds: 6, fps: 24, dimension: '1280x720', seed: 4 },
      },
      outputDataConfig: { s3OutputDataConfig: { s3Uri: 's3://bucket/one folder' } },
    });
    const long = await inputOf('amazon.nova-reel-v1:1', { seconds: '18' });
    expect(long).toMatchObject({
      modelInput: {
        taskType: 'MULTI_SHOT_AUTOMATED',
        multiShotAutomatedParams: { text: 'a red kite' },
        videoGenerationConfig: { durationSeconds: 18, seed: expect.any(Number) as number },
      },
    });
  });

  it('of Luma has frames', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: DATA };
    const frame = { type: 'image', source };
    const body = await inputOf('luma.ray-v2:0', { metadata: { loop: true } }, ['first_frame', 'last_frame']);
    expect(body).toMatchObject({
      modelInput: { prompt: 'a red kite', duration: '5s', loop: true, keyframes: { frame0: frame, frame1: frame } },
    });
  });

  it.each([
    ['s3://former/a/', 'former/a'],
    [undefined, 'bucket/one%20folder'],
  ])(
    'is polled, and is in its own folder in that of its submission (%s), not in a reported one',
    async (path, folder) => {
      const body = { status: 'Completed', outputDataConfig: { s3OutputDataConfig: { s3Uri: 's3://other/secrets' } } };
      await using rig = await rigFor(() => ({ body }));
      const job = { ...mediaJob(rig.vendor.origin, { upstreamId: ARN }), ...(path !== undefined && { path }) };
      const outcome = await rig.video.poll(job, NEVER);
      const url = `${rig.vendor.origin}/s3/${folder}/abcdef123456/output.mp4`;
      expect(outcome).toMatchObject({ kind: 'succeeded', outputs: [{ url }] });
      expect(rig.vendor.recorded[0]?.url).toBe(
        '/async-invoke/arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Aasync-invoke%2Fabcdef123456',
      );
    },
  );

  it('fails for its content', async () => {
    const body = { status: 'Failed', failureMessage: 'The video has been blocked by our content filters.' };
    await using rig = await rigFor(() => ({ body }));
    const outcome = await rig.video.poll(mediaJob(rig.vendor.origin, { upstreamId: ARN }), NEVER);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'content_policy' });
  });

  it('is unclear if its id names no folder', async () => {
    await using rig = await rigFor(() => ({ body: { status: 'Completed' } }));
    const job = mediaJob(rig.vendor.origin, { upstreamId: 'arn/..' });
    expect(await rig.video.poll(job, NEVER)).toMatchObject({ kind: 'unclear' });
    expect(rig.video.jobPath?.('amazon.nova-reel-v1:1', videoParams({}, {}).request)).toBe('s3://bucket/one folder');
  });

  it('is found by its token, on any page', async () => {
    const submitTime = new Date(1_767_323_046_000).toISOString();
    const pages = [
      {
        asyncInvokeSummaries: [{ invocationArn: 'a', clientRequestToken: 'video_task1-2', submitTime }],
        nextToken: 'n&',
      },
      { asyncInvokeSummaries: [{ invocationArn: ARN, clientRequestToken: 'video_task1-1', submitTime }] },
    ];
    await using rig = await rigFor(() => ({ body: pages.shift() }));
    const outcome = await rig.video.find?.(videoParams({}, { model: 'amazon.nova-reel-v1:1' }), NEVER);
    expect(outcome).toEqual({ kind: 'candidates', certain: true, jobs: [{ upstreamId: ARN }] });
    const list = '/async-invoke?sortBy=SubmissionTime&sortOrder=Descending&maxResults=100';
    expect(rig.vendor.recorded.map(({ url }) => url)).toEqual([list, `${list}&nextToken=n%26`]);
  });

  it('that is not in the list may exist', async () => {
    await using rig = await rigFor(() => ({ body: { asyncInvokeSummaries: [] } }));
    const outcome = await rig.video.find?.(videoParams({}, { model: 'amazon.nova-reel-v1:1' }), NEVER);
    expect(outcome).toEqual({ kind: 'candidates', certain: true, jobs: [] });
  });

  it('is passed to another account if Bedrock cannot write to the bucket', async () => {
    const body = { message: 'Invalid Output Config/Credentials' };
    await using rig = await rigFor(() => ({ status: 400, body }));
    const outcome = await rig.video.submit(videoParams({}, { model: 'amazon.nova-reel-v1:1' }), NEVER);
    expect(outcome).toMatchObject({ kind: 'account', code: 'provider_auth' });
  });

  it('has an unknown outcome if its token is in use', async () => {
    await using rig = await rigFor(() => error(400, 'ConflictException'));
    const outcome = await rig.video.submit(videoParams({}, { model: 'amazon.nova-reel-v1:1' }), NEVER);
    expect(outcome).toMatchObject({ kind: 'unknown' });
  });
});
