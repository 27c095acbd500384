import { describe, expect, it } from 'vitest';
import { jsonVendor, MEDIA_KEY, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';
import { expirySeconds } from './expiry.ts';

/** Time of the submission, in Unix seconds. */
const T = 1_767_323_045;
const MODEL = 'seedance-1-0-pro-250528';
const SUBMISSION = videoParams({ seconds: '8' }, { model: MODEL });
const fitting = {
  model: MODEL,
  duration: 8,
  created_at: T + 1,
  execution_expires_after: expirySeconds(SUBMISSION.reference),
};

async function lookUp(pages: object[][], params = SUBMISSION) {
  await using vendor = await jsonVendor(({ url }) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page_num'));
    return { body: { items: pages[page - 1] ?? [], total: 1000 } };
  });
  await using rig = mediaRig({ kind: 'ark', base_url: vendor.origin, api_key: MEDIA_KEY });
  const outcome = await rig.video.find?.(params, NEVER);
  return { outcome, urls: vendor.recorded.map(({ url }) => url) };
}

it('matches a task by model, duration, expiry, and time', async () => {
  const items = [
    { id: 'fits', ...fitting },
    { id: 'skewed', ...fitting, created_at: T - 29 },
    { id: 'other-model', ...fitting, model: 'seedance-2' },
    { id: 'other-duration', ...fitting, duration: 5 },
    { id: 'other-mark', ...fitting, execution_expires_after: 172_800 },
    { id: 'no-mark', ...fitting, execution_expires_after: undefined },
    { id: 'no-duration', ...fitting, duration: undefined },
    { id: 'no-time', ...fitting, created_at: undefined },
    { id: 'too-old', ...fitting, created_at: T - 31 },
    { id: 'too-young', ...fitting, created_at: T + 301 },
    { ...fitting },
    'nonsense',
  ] as object[];
  const { outcome, urls } = await lookUp([items]);
  expect(outcome).toEqual({ kind: 'candidates', jobs: [{ upstreamId: 'fits' }, { upstreamId: 'skewed' }] });
  expect(urls).toEqual(['/contents/generations/tasks?page_num=1&page_size=100']);
});

it('filters an endpoint’s tasks by its id, because they name another model', async () => {
  const params = videoParams({ seconds: '8', metadata: { service_tier: 'flex' } }, { model: 'ep-1' });
  const { outcome, urls } = await lookUp([[{ id: 'fits', ...fitting }]], params);
  expect(outcome).toMatchObject({ jobs: [{ upstreamId: 'fits' }] });
  expect(urls[0]).toContain('filter.model=ep-1&filter.service_tier=flex');
});

it('derives another expiry for each attempt, between the vendor’s default and its maximum', () => {
  const expiries = Array.from({ length: 100 }, (_, at) => expirySeconds(`video_a-${at}`));
  expect(new Set(expiries).size).toBeGreaterThan(90);
  expect(Math.min(...expiries)).toBeGreaterThanOrEqual(172_800);
  expect(Math.max(...expiries)).toBeLessThanOrEqual(259_200);
});

describe('list', () => {
  it.each([
    [200, { data: [] }],
    [401, {}],
    [500, { items: [] }],
  ])('proves nothing when invalid: HTTP %i %o', async (status, body) => {
    await using vendor = await jsonVendor(() => ({ status, body }));
    await using rig = mediaRig({ kind: 'ark', base_url: vendor.origin, api_key: MEDIA_KEY });
    expect(await rig.video.find?.(SUBMISSION, NEVER)).toMatchObject({ kind: 'unclear' });
  });

  it('proves nothing when it breaks off', async () => {
    await using vendor = await jsonVendor(() => undefined);
    await using rig = mediaRig({ kind: 'ark', base_url: vendor.origin, api_key: MEDIA_KEY });
    expect(await rig.video.find?.(SUBMISSION, NEVER)).toMatchObject({ kind: 'unclear' });
  });

  it('continues while pages are full', async () => {
    const page = Array.from({ length: 100 }, (_, at) => ({ id: `t${at}`, created_at: T }));
    const { outcome, urls } = await lookUp([page, [{ id: 'fits', ...fitting }]]);
    expect(outcome).toEqual({ kind: 'candidates', jobs: [{ upstreamId: 'fits' }] });
    expect(urls).toHaveLength(2);
  });
});
