import { expect, it } from 'vitest';
import { jsonVendor, MEDIA_KEY, mediaRig, videoWish } from '../../test/media-rig.ts';
import { NEVER, picture } from '../../test/videos-rig.ts';

const AT = 1_767_323_045_500;
const T = 1_767_323_045;
const WISH = videoWish({ seconds: '8' }, { model: 'MiniMax-H3', submittedAt: AT });
const fitting = { model: 'MiniMax-H3', duration: 8, resolution: '768P', ratio: '16:9', created_at: T + 2 };

async function found(items: unknown, wish = WISH, after = 120_000) {
  await using vendor = await jsonVendor(() => ({ body: { items, total: 1 } }));
  const now = () => AT + after;
  await using rig = mediaRig({ kind: 'minimax', base_url: vendor.origin, api_key: MEDIA_KEY }, { now });
  const outcome = await rig.video.find?.(wish, NEVER);
  return { outcome, urls: vendor.heard.map(({ url }) => url) };
}

it('a candidate has the model, duration, resolution and shape, and was made within a minute', async () => {
  const { outcome, urls } = await found([
    { id: 'fits', ...fitting },
    { id: 'lower-case', ...fitting, resolution: '768p' },
    { id: 'other-model', ...fitting, model: 'MiniMax-H3-Max' },
    { id: 'other-duration', ...fitting, duration: 5 },
    { id: 'other-resolution', ...fitting, resolution: '2K' },
    { id: 'other-shape', ...fitting, ratio: '9:16' },
    { id: 'no-shape', ...fitting, ratio: undefined },
    { id: 'too-old', ...fitting, created_at: T - 31 },
    { id: 'too-young', ...fitting, created_at: T + 62 },
    { id: 'no-time', ...fitting, created_at: undefined },
    'nonsense',
  ]);
  expect(outcome).toEqual({ kind: 'candidates', jobs: [{ upstreamId: 'fits' }, { upstreamId: 'lower-case' }] });
  expect(urls).toEqual([
    '/v2/query/video_generation?page_num=1&page_size=100&filter.model=MiniMax-H3&filter.task_type=generation',
  ]);
});

it('beside frames the shape is the vendor’s own', async () => {
  const wish = videoWish({ seconds: '8' }, { model: 'MiniMax-H3', submittedAt: AT, images: [picture('A')] });
  expect((await found([{ id: 'fits', ...fitting, ratio: 'adaptive' }], wish)).outcome).toMatchObject({
    jobs: [{ upstreamId: 'fits' }],
  });
});

it('nothing is said until the answers of that time are known', async () => {
  expect(await found([{ id: 'fits', ...fitting }], WISH, 119_999)).toMatchObject({
    outcome: { kind: 'unclear' },
    urls: [],
  });
});

it('what is no list proves nothing', async () => {
  expect((await found(undefined)).outcome).toMatchObject({ kind: 'unclear' });
});

it('tasks of v1 cannot be looked up', async () => {
  const wish = videoWish({}, { model: 'MiniMax-Hailuo-02' });
  expect(await found([], wish)).toMatchObject({ outcome: { kind: 'unclear' }, urls: [] });
});
