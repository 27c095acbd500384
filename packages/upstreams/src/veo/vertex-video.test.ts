import type { VideoRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { type JsonResponse, jsonVendor, MEDIA_KEY, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER, submission } from '../../test/videos-rig.ts';
import { planVertexVeo } from './plan.ts';
import { storageOrigin } from '../http/google-storage.ts';

const PLACE = '/v1/projects/a.example:p/locations/us-central1/publishers/google';
const MODEL = 'veo-3.1-generate-001';
const NAME = `${PLACE.slice('/v1/'.length)}/models/${MODEL}/operations/abc-1`;
const URI = 'gs://bucket/one folder/abc/sample_0.mp4';

async function rigFor(respond: () => JsonResponse, more: object = {}) {
  const vendor = await jsonVendor(respond);
  const base = vendor.origin + PLACE;
  const rig = mediaRig({ kind: 'veo', base_url: base, api_key: MEDIA_KEY, ...more });
  const job = mediaJob(base, { model: MODEL, upstreamId: 'abc-1', path: NAME });
  return {
    vendor,
    job,
    video: rig.video,
    [Symbol.asyncDispose]: async () => {
      await rig[Symbol.asyncDispose]();
      await vendor[Symbol.asyncDispose]();
    },
  };
}

const done = (response: object) => ({ body: { name: NAME, done: true, response } });

describe('Veo on Vertex AI', () => {
  it('stores the name of the operation, also in a project with a domain', async () => {
    await using rig = await rigFor(() => ({ body: { name: NAME } }));
    const outcome = await rig.video.submit(submission({ model: MODEL }), NEVER);
    expect(outcome).toMatchObject({ kind: 'accepted', upstreamId: 'abc-1', path: NAME });
    expect(rig.vendor.recorded[0]?.url).toBe(`${PLACE}/models/${MODEL}:predictLongRunning`);
  });

  it.each(['models/m/operations/x', 'projects/../operations/x', 'projects/p/x'])(
    'cannot poll an operation with the name %s',
    async (name) => {
      await using rig = await rigFor(() => ({ body: { name } }));
      expect(await rig.video.submit(submission({ model: MODEL }), NEVER)).toMatchObject({ kind: 'unknown' });
    },
  );

  it('polls with a POST to the model', async () => {
    await using rig = await rigFor(() => ({ body: { name: NAME } }));
    expect(await rig.video.poll(rig.job, NEVER)).toMatchObject({ kind: 'running' });
    expect(rig.vendor.recorded[0]).toMatchObject({
      method: 'POST',
      url: `${PLACE}/models/${MODEL}:fetchPredictOperation`,
      body: { operationName: NAME },
    });
  });

  it('reads a video in the response', async () => {
    const video = { bytesBase64Encoded: Buffer.from('clip').toString('base64'), mimeType: 'video/mp4' };
    await using rig = await rigFor(() => done({ videos: [video] }));
    expect(await rig.video.poll(rig.job, NEVER)).toEqual({ kind: 'succeeded', outputs: [{}] });
    expect(await rig.video.openContent(rig.job, { index: 0 }, NEVER)).toMatchObject({ kind: 'opened', bytes: 4 });
  });

  it('downloads a video from Cloud Storage with the credential', async () => {
    await using rig = await rigFor(() => done({ videos: [{ gcsUri: URI, mimeType: 'video/mp4' }] }));
    const url = `${rig.vendor.origin}/storage/v1/b/bucket/o/one%20folder%2Fabc%2Fsample_0.mp4?alt=media`;
    expect(await rig.video.poll(rig.job, NEVER)).toEqual({ kind: 'succeeded', outputs: [{ url }] });
    await rig.video.openContent(rig.job, { index: 0, url }, NEVER);
    expect(rig.vendor.recorded[1]).toMatchObject({ method: 'GET', headers: { 'x-goog-api-key': MEDIA_KEY } });
  });

  it('requests the operator’s folder in Cloud Storage', async () => {
    await using rig = await rigFor(() => ({ body: { name: NAME } }), { output_uri: 'gs://bucket/folder' });
    await rig.video.submit(submission({ model: MODEL }), NEVER);
    expect(rig.vendor.recorded[0]?.body).toMatchObject({ parameters: { storageUri: 'gs://bucket/folder' } });
  });

  it('reports a filtered video', async () => {
    await using rig = await rigFor(() => done({ raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['A person.'] }));
    expect(await rig.video.poll(rig.job, NEVER)).toEqual({
      kind: 'failed',
      code: 'content_policy',
      message: 'A person.',
    });
  });

  it('finds Cloud Storage at Google’s host, or at the proxy', () => {
    expect(storageOrigin('https://us-central1-aiplatform.googleapis.com/v1/x')).toBe('https://storage.googleapis.com');
    expect(storageOrigin('http://127.0.0.1:8079/vertex')).toBe('http://127.0.0.1:8079');
  });

  it('sends a seed, and turns the sound off', () => {
    const losses: string[] = [];
    const request: VideoRequest = { kind: 'video', prompt: 'a', images: [], seed: 7, audio: false, fps: 24 };
    const plan = (model: string) => planVertexVeo(model, request, ({ field }) => losses.push(field)).parameters;
    expect(plan('veo-3.1-generate-001')).toMatchObject({ seed: 7, generateAudio: false, durationSeconds: 8 });
    expect(losses).toEqual(['fps']);
    expect(plan('veo-2.0-generate-001')).not.toHaveProperty('generateAudio');
  });
});
