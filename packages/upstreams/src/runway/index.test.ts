import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { sendJson, startServer } from '../../test/local-server.ts';
import {
  respondCommonly,
  imageParams,
  jsonVendor,
  MEDIA_KEY,
  mediaJob,
  mediaRig,
  mediaStage,
  videoParams,
} from '../../test/media-rig.ts';
import { describeImageContract, describeVideoContract, type VendorBehavior } from '../../test/video-contract.ts';
import { NEVER, image as imageInput } from '../../test/videos-rig.ts';

const account = (origin: string) => ({ kind: 'runway', base_url: origin, api_key: MEDIA_KEY });

function reply(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse, origin: string): void {
  if (respondCommonly(behavior, request, response)) return;
  const task = (more: object) => sendJson(response, 200, { id: 'up_contract_77', createdAt: '2026-01-02', ...more });
  const refuse = (status: number, error: string, headers = {}) => sendJson(response, status, { error }, headers);
  const output = [`${origin}/files/clip.mp4`];
  switch (behavior.behavior) {
    case 'accepts':
      return sendJson(response, 200, { id: behavior.id, estimatedCost: { credits: 25 } });
    case 'refuses':
      return refuse(400, behavior.reason);
    case 'moderates':
      // The failure occurs after the task was accepted.
      return task({ status: 'FAILED', failureCode: 'SAFETY.INPUT.TEXT' });
    case 'is busy':
      return refuse(429, 'Too many requests', { 'retry-after': String(behavior.retryAfterSeconds) });
    case 'refuses the credential':
      return refuse(401, `The key ${MEDIA_KEY} is not valid`);
    case 'has no balance':
      return refuse(400, 'You do not have enough credits to run this task.');
    case 'answers 500':
      return refuse(500, 'oops');
    case 'runs':
      return task({ status: 'RUNNING', progress: behavior.progress / 100 });
    case 'has finished':
    case 'cuts the content':
    case 'has expired the content':
      return task({ status: 'SUCCEEDED', output });
    case 'has failed':
      return task({ status: 'FAILED', failure: behavior.reason, failureCode: 'INTERNAL.BAD_OUTPUT.CODE01' });
    case 'does not know the job':
      return refuse(404, 'Not found');
    case 'returns an unknown status':
      return task({ status: 'RETICULATING' });
    case 'hangs':
    case 'drops the connection':
    case 'returns garbage':
  }
}

const subject = {
  kind: 'runway',
  reportsReason: false,
  refusesContent: false,
  setStage: mediaStage({ account, isSubmission: ({ method }) => method === 'POST', response: reply }),
};
describeVideoContract(subject);
describeImageContract(subject);

/** Returns the request that a submission sends. */
async function recordedOf(submit: (rig: ReturnType<typeof mediaRig>) => Promise<unknown>) {
  await using vendor = await jsonVendor(() => ({ body: { id: 'up_1' } }));
  await using rig = mediaRig(account(vendor.origin));
  await submit(rig);
  const [recorded] = vendor.recorded;
  if (recorded === undefined) throw new Error('nothing was sent');
  return recorded;
}

const uri = (text: string) => `data:image/png;base64,${Buffer.from(text).toString('base64')}`;

describe('submission', () => {
  it('of text sends the credential and the API version', async () => {
    const metadata = {
      contentModeration: { publicFigureThreshold: 'low' },
      model: 'dear',
      promptText: 'x',
      Ratio: '1:1',
      duration: 60,
      webhookUrl: 'https://client.example/',
      promptImage: 'https://10.0.0.1/',
    };
    const params = videoParams({ size: '720x1280', seconds: '8', seed: 7, metadata }, { model: 'gen4.5' });
    const { method, url, headers, body } = await recordedOf(({ video }) => video.submit(params, NEVER));
    expect([method, url]).toEqual(['POST', '/v1/text_to_video']);
    expect(headers).toMatchObject({ authorization: `Bearer ${MEDIA_KEY}`, 'x-runway-version': '2024-11-06' });
    expect(body).toEqual({
      contentModeration: { publicFigureThreshold: 'low' },
      model: 'gen4.5',
      promptText: 'a red kite',
      ratio: '720:1280',
      duration: 8,
      seed: 7,
    });
  });

  it('of a first frame has it as a data URI, of two frames with their positions', async () => {
    const images = [imageInput('one')];
    const one = await recordedOf(({ video }) => video.submit(videoParams({}, { images, model: 'gen4_turbo' }), NEVER));
    expect(one.url).toBe('/v1/image_to_video');
    expect(one.body).toMatchObject({ promptImage: uri('one'), ratio: '1280:720', duration: 5 });
    const both = [imageInput('two', 'last_frame'), imageInput('one')];
    const two = await recordedOf(({ video }) =>
      video.submit(videoParams({}, { images: both, model: 'veo3.1' }), NEVER),
    );
    expect(two.body).toMatchObject({
      promptImage: [
        { uri: uri('two'), position: 'last' },
        { uri: uri('one'), position: 'first' },
      ],
    });
  });

  it('of references names them beside the prompt', async () => {
    const images = [imageInput('one', 'reference'), imageInput('two', 'reference')];
    const { url, body } = await recordedOf(({ video }) =>
      video.submit(videoParams({}, { images, model: 'seedance2' }), NEVER),
    );
    expect(url).toBe('/v1/text_to_video');
    expect(body).toMatchObject({ references: [{ uri: uri('one') }, { uri: uri('two') }] });
    expect(body).not.toHaveProperty('promptImage');
  });

  it('of images has its references', async () => {
    const images = [imageInput('one', 'reference')];
    const params = imageParams(
      { n: 2, metadata: { outputCount: 100, moderation: 'low' } },
      { images, model: 'gpt_image_2' },
    );
    const { url, body } = await recordedOf(({ image }) => image.submit(params, NEVER));
    expect(url).toBe('/v1/text_to_image');
    expect(body).toEqual({
      moderation: 'low',
      model: 'gpt_image_2',
      promptText: 'a red kite',
      ratio: '1920:1920',
      outputCount: 2,
      referenceImages: [{ uri: uri('one') }],
    });
  });

  it('is never sent with an image above the data URI limit', async () => {
    await using vendor = await jsonVendor(() => ({ body: { id: 'up_1' } }));
    await using rig = mediaRig(account(vendor.origin));
    const images = [{ ...imageInput('one'), bytes: 4_000_000 }];
    const outcome = await rig.video.submit(videoParams({}, { images, model: 'gen4.5' }), NEVER);
    expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
    const many = Array.from({ length: 13 }, () => ({ ...imageInput('one', 'reference'), bytes: 3_700_000 }));
    expect(await rig.video.submit(videoParams({}, { images: many, model: 'gen9' }), NEVER)).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('45 MB'),
    });
    expect(vendor.recorded).toEqual([]);
  });

  it('returns the invalid field when refused', async () => {
    const issues = [{ code: 'too_big', path: ['promptText'], message: 'At most 1000 characters' }, { message: 'why' }];
    await using vendor = await jsonVendor(() => ({
      status: 400,
      body: { error: 'Validation of body failed', issues },
    }));
    await using rig = mediaRig(account(vendor.origin));
    expect(await rig.video.submit(videoParams({}), NEVER)).toEqual({
      kind: 'rejected',
      code: 'invalid_request',
      message: 'Validation of body failed; promptText: At most 1000 characters; why',
    });
  });

  it('reports the duration when accepted', async () => {
    await using vendor = await jsonVendor(() => ({ body: { id: 'up_1' } }));
    await using rig = mediaRig(account(vendor.origin));
    expect(await rig.video.submit(videoParams({ seconds: '20' }, { model: 'gen4.5' }), NEVER)).toEqual({
      kind: 'accepted',
      upstreamId: 'up_1',
      seconds: '10',
    });
  });
});

async function polled(body: object, headers: Record<string, string> = {}, kind: 'video' | 'image' = 'video') {
  await using vendor = await jsonVendor(() => ({ body, headers }));
  await using rig = mediaRig(account(vendor.origin));
  const outcome = await rig[kind].poll(mediaJob(vendor.origin, { upstreamId: 'a/../b' }), NEVER);
  expect(vendor.recorded[0]?.url).toBe('/v1/tasks/a%2F..%2Fb');
  return outcome;
}

describe('poll', () => {
  it.each([
    [{ status: 'PENDING' }, {}],
    [{ status: 'THROTTLED' }, {}],
    [{ status: 'RUNNING', progress: 0.357 }, { progress: 36 }],
    [{ status: 'RUNNING', progress: 40 }, {}],
  ])('%o: is running, and the next poll is delayed', async (body, more) => {
    expect(await polled(body)).toEqual({ kind: 'running', ...more, retryAfterMs: 5000 });
  });

  it('waits longer if the vendor requests it', async () => {
    expect(await polled({ status: 'PENDING' }, { 'retry-after': '30' })).toMatchObject({ retryAfterMs: 30_000 });
    expect(await polled({ status: 'PENDING' }, { 'retry-after': '1' })).toMatchObject({ retryAfterMs: 5000 });
  });

  it.each([
    [{ status: 'FAILED', failure: 'secret words', failureCode: 'SAFETY.OUTPUT.VIDEO' }, 'content_policy'],
    [{ status: 'FAILED', failure: 'secret words', failureCode: 'ASSET.INVALID' }, 'invalid_request'],
    [{ status: 'FAILED', failure: 'secret words' }, 'provider_error'],
    [{ status: 'CANCELLED' }, 'canceled'],
    [{ status: 'SUCCEEDED' }, 'provider_error'],
    [{ status: 'SUCCEEDED', output: [] }, 'provider_error'],
    [{ status: 'SUCCEEDED', output: [7, ''] }, 'provider_error'],
  ])('%o failed', async (body, code) => {
    const outcome = await polled(body);
    expect(outcome).toMatchObject({ kind: 'failed', code });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  it('returns every image, or the video', async () => {
    const done = { status: 'SUCCEEDED', output: ['https://a.example/1', 'https://a.example/2'] };
    const [first, second] = done.output.map((url) => ({ url }));
    expect(await polled(done, {}, 'image')).toEqual({ kind: 'succeeded', outputs: [first, second] });
    expect(await polled(done)).toEqual({ kind: 'succeeded', outputs: [first] });
  });

  it.each([{ status: 'succeeded' }, { status: '' }, { status: 1 }, {}])('%o decides nothing', async (body) => {
    expect(await polled(body)).toMatchObject({ kind: 'unclear' });
  });
});

it('requests an expired file URL again, without the key', async () => {
  await using store = await startServer((request, response) => {
    if (request.url === '/old') response.writeHead(403).end();
    else response.writeHead(200, { 'content-type': 'video/mp4' }).end('clip');
  });
  await using vendor = await jsonVendor(() => ({ body: { status: 'SUCCEEDED', output: [`${store.origin}/new`] } }));
  await using rig = mediaRig(account(vendor.origin), { allow: [store.origin] });
  const output = { index: 0, url: `${store.origin}/old` };
  expect(await rig.video.openContent(mediaJob(vendor.origin), output, NEVER)).toMatchObject({ kind: 'opened' });
  expect(store.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/old', undefined],
    ['/new', undefined],
  ]);
});

async function canceled(state: string, deletion = 204) {
  await using vendor = await jsonVendor(({ method }) =>
    method === 'DELETE'
      ? { status: deletion, body: {} }
      : { body: { status: state, output: ['https://a.example/f.mp4'] } },
  );
  await using rig = mediaRig(account(vendor.origin));
  const outcome = await rig.video.cancel?.(mediaJob(vendor.origin), NEVER);
  return [outcome?.kind, vendor.recorded.map(({ method }) => method).join(' ')];
}

describe('cancellation', () => {
  it.each(['PENDING', 'THROTTLED', 'RUNNING'])('stops a task that is %s', async (state) => {
    expect(await canceled(state)).toEqual(['canceled', 'GET DELETE']);
  });

  it.each([
    ['SUCCEEDED', 'too_late'],
    ['FAILED', 'unsupported'],
    ['CANCELLED', 'canceled'],
    ['RETICULATING', 'unclear'],
  ])('never deletes one that is %s, with its file', async (state, kind) => {
    expect(await canceled(state)).toEqual([kind, 'GET']);
  });

  it('is unclear after a server error', async () => {
    expect(await canceled('RUNNING', 500)).toEqual(['unclear', 'GET DELETE']);
  });
});

it('requires an API key', () => {
  expect(() => mediaRig({ kind: 'runway', base_url: 'https://api.example' })).toThrow('needs an api_key');
});
