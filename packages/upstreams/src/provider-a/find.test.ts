import type { FindOutcome } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { jsonVendor, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER, image } from '../../test/videos-rig.ts';

const SUBMITTED = 1_767_323_045_500;

async function lookUp(status: number, body: unknown, ageMs = 60_000): Promise<FindOutcome | undefined> {
  await using vendor = await jsonVendor(() => ({ status, body }));
  const now = () => SUBMITTED + ageMs;
  await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1' }, { now });
  return await rig.video.find?.(videoParams({}, { submittedAt: SUBMITTED }), NEVER);
}

describe('lost submission', () => {
  it('is looked up by its reference, under the path of the submission', async () => {
    await using vendor = await jsonVendor(() => ({ body: {} }));
    await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1' });
    // The lookup has no opened images, so the path must follow from the request alone.
    const params = videoParams({}, { images: [image('a')], reference: 'video_x-2' });
    await rig.video.find?.({ ...params, images: [] }, NEVER);
    expect(vendor.recorded).toMatchObject([{ method: 'GET', url: '/v1/videos/image2video/video_x-2' }]);
  });

  it.each([{}, { task_info: { external_task_id: 'video_task1-1' } }])('exists: %o', async (more) => {
    expect(await lookUp(200, { code: 0, data: { task_id: '77', task_status: 'processing', ...more } })).toEqual({
      kind: 'candidates',
      jobs: [{ upstreamId: '77', path: '/v1/videos/text2video' }],
      certain: true,
    });
  });

  it('does not exist once the vendor had time to list it', async () => {
    expect(await lookUp(404, { code: 1203 })).toEqual({ kind: 'none' });
    expect(await lookUp(404, { code: 1203 }, 44_000)).toMatchObject({ kind: 'unclear' });
  });

  it.each([
    [200, { code: 0, data: {} }],
    [200, { code: 0, data: { task_id: '77', task_info: { external_task_id: 'another' } } }],
    [200, { data: { task_id: '77' } }],
    [200, {}],
    [404, {}],
    [404, { code: 1202 }],
    [401, { code: 1002 }],
    [429, { code: 1302 }],
    [500, { code: 5000 }],
  ])('may exist: HTTP %i %o', async (status, body) => {
    expect(await lookUp(status, body)).toMatchObject({ kind: 'unclear' });
  });

  it('may exist when the lookup fails', async () => {
    await using vendor = await jsonVendor(() => undefined);
    await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1' });
    expect(await rig.video.find?.(videoParams({}), NEVER)).toMatchObject({ kind: 'unclear' });
  });
});
