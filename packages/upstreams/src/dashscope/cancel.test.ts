import type { CancelOutcome } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { jsonVendor, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

async function canceled(status: number, body: unknown, then?: string): Promise<CancelOutcome | undefined> {
  await using vendor = await jsonVendor(({ method }) =>
    method === 'POST'
      ? { status, body }
      : { body: { output: { task_status: then, video_url: 'https://cdn.example/v.mp4' } } },
  );
  await using rig = mediaRig({ kind: 'dashscope', base_url: vendor.origin, api_key: 'key-1' });
  const outcome = await rig.video.cancel?.(mediaJob(vendor.origin), NEVER);
  expect(vendor.recorded[0]).toMatchObject({ method: 'POST', url: '/api/v1/tasks/up_1/cancel' });
  return outcome;
}

const REFUSED = { code: 'UnsupportedOperation', message: 'please confirm if the task is in PENDING status' };

it('cancels a pending task', async () => {
  expect(await canceled(200, { request_id: 'a' })).toEqual({ kind: 'canceled' });
});

it.each([
  ['SUCCEEDED', 'too_late'],
  ['RUNNING', 'unsupported'],
  ['FAILED', 'unsupported'],
  ['CANCELED', 'canceled'],
  ['STRANGE', 'unclear'],
])('returns the polled state of a task that is no longer pending: %s, %s', async (status, kind) => {
  expect(await canceled(400, REFUSED, status)).toMatchObject({ kind });
});

it.each([
  [401, { code: 'InvalidApiKey' }],
  [429, { code: 'Throttling' }],
  [500, {}],
  [200, { code: 'InternalError' }],
])('is unclear after HTTP %i %o', async (status, body) => {
  expect(await canceled(status, body, 'SUCCEEDED')).toMatchObject({ kind: 'unclear' });
});
