import { expect, it } from 'vitest';
import { jsonVendor, MEDIA_KEY, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

async function polled(body: unknown, status = 200, path?: string) {
  await using vendor = await jsonVendor(() => ({ status, body }));
  const base = `${vendor.origin}/ent/v2`;
  await using rig = mediaRig({ kind: 'vidu', base_url: base, api_key: MEDIA_KEY });
  const job = mediaJob(base, { upstreamId: '891', ...(path !== undefined && { path }) });
  const outcome = await rig.video.poll(job, NEVER);
  expect(vendor.recorded.map(({ url }) => url)).toEqual(['/ent/v2/tasks/891/creations']);
  return outcome;
}

const failed = (err_code: string) => ({ state: 'failed', err_code });

it.each([
  [{ state: 'created' }, { kind: 'running' }],
  [{ state: 'queueing' }, { kind: 'running' }],
  [{ state: 'processing', creations: [] }, { kind: 'running' }],
  [
    { state: 'success', creations: [] },
    { kind: 'failed', code: 'provider_error' },
  ],
  [{ state: 'success', creations: null }, { kind: 'failed' }],
  [{ state: 'success', creations: [{ id: 'c', url: '' }] }, { kind: 'failed' }],
  [{ state: 'success', creations: [{ id: 'c' }] }, { kind: 'unclear' }],
  [{ state: 'success', creations: [{ url: 7 }] }, { kind: 'unclear' }],
  [{ state: 'success', creations: 'none' }, { kind: 'unclear' }],
  [{ state: 'success' }, { kind: 'unclear' }],
  [failed('CreationPolicyViolation'), { kind: 'failed', code: 'content_policy', message: 'CreationPolicyViolation' }],
  [failed('AuditSubmitIllegal'), { kind: 'failed', code: 'content_policy' }],
  [failed('ImageDownloadFailure'), { kind: 'failed', code: 'invalid_request' }],
  [failed('InternalServiceFailure'), { kind: 'failed', code: 'provider_error' }],
  [failed('UserCancelled'), { kind: 'failed', code: 'canceled' }],
  [failed(''), { kind: 'failed', message: 'The upstream failed without a reason. Retry the request.' }],
  [{ state: 'Success', creations: [{ url: 'https://a.example' }] }, { kind: 'unclear' }],
  [{ state: 7 }, { kind: 'unclear' }],
  [{}, { kind: 'unclear' }],
])('%o', async (body, expected) => {
  expect(await polled(body)).toMatchObject(expected);
});

const creation = { id: 'c', url: 'https://cdn.example/f.mp4', watermarked_url: 'https://cdn.example/w.mp4' };

it('success returns the video, and its frame if reported', async () => {
  expect(await polled({ state: 'success', creations: [creation] })).toEqual({
    kind: 'succeeded',
    outputs: [{ url: creation.url }],
  });
  const video = { duration: 3.85, resolution: { width: 688, height: 384 } };
  expect(await polled({ state: 'success', creations: [{ ...creation, video }] })).toMatchObject({ size: '688x384' });
});

it('selects the watermarked video if requested', async () => {
  const marked = await polled({ state: 'success', creations: [creation] }, 200, 'watermarked');
  expect(marked).toMatchObject({ outputs: [{ url: creation.watermarked_url }] });
  const plain = { ...creation, watermarked_url: '' };
  expect(await polled({ state: 'success', creations: [plain] }, 200, 'watermarked')).toMatchObject({
    outputs: [{ url: creation.url }],
  });
});

it.each([401, 403, 404, 429, 500])('HTTP %i decides nothing, whatever the body', async (status) => {
  expect(await polled(failed('x'), status)).toMatchObject({ kind: 'unclear' });
});
