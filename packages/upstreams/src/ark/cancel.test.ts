import { expect, it } from 'vitest';
import { jsonVendor, MEDIA_KEY, mediaJob, mediaRig } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

/** @param states the task states that successive polls return */
async function canceled(states: string[], deletion = 200) {
  let polls = 0;
  await using vendor = await jsonVendor(({ method }) => {
    if (method === 'DELETE') return { status: deletion, body: {} };
    const status = states[polls];
    polls += 1;
    return status === undefined ? undefined : { body: { status, content: { video_url: 'https://a.example/f.mp4' } } };
  });
  await using rig = mediaRig({ kind: 'ark', base_url: vendor.origin, api_key: MEDIA_KEY });
  const outcome = await rig.video.cancel?.(mediaJob(vendor.origin), NEVER);
  return [outcome?.kind, vendor.recorded.map(({ method }) => method).join(' ')];
}

it('cancels a queued task', async () => {
  expect(await canceled(['queued'])).toEqual(['canceled', 'GET DELETE']);
});

it.each([
  ['running', 'unsupported'],
  ['succeeded', 'too_late'],
  ['failed', 'unsupported'],
  ['expired', 'unsupported'],
  ['cancelled', 'canceled'],
  ['reticulating', 'unclear'],
])('does not delete a task that is %s', async (state, kind) => {
  expect(await canceled([state])).toEqual([kind, 'GET']);
});

it.each([
  [409, 'running', 'unsupported'],
  [400, 'succeeded', 'too_late'],
  [404, 'running', 'unsupported'],
])('polls after a refusal with HTTP %i: %s', async (status, state, kind) => {
  expect(await canceled(['queued', state], status)).toEqual([kind, 'GET DELETE GET']);
});

it.each([401, 403, 429, 500, 302])('is unclear after HTTP %i', async (status) => {
  expect(await canceled(['queued'], status)).toEqual(['unclear', 'GET DELETE']);
});

it('is unclear after a lost response', async () => {
  expect(await canceled([])).toEqual(['unclear', 'GET']);
});
