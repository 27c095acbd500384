import { expect, it } from 'vitest';
import { jsonVendor, MEDIA_KEY, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

const SUBMISSION = videoParams({}, { submittedAt: Date.parse('2026-01-02T03:04:05Z') });
const PAYLOAD = SUBMISSION.reference;

async function lookUp(pages: unknown[], params = SUBMISSION) {
  let requestCount = 0;
  await using vendor = await jsonVendor(() => {
    requestCount += 1;
    return { body: pages[requestCount - 1] };
  });
  await using rig = mediaRig({ kind: 'vidu', base_url: `${vendor.origin}/ent/v2`, api_key: MEDIA_KEY });
  const outcome = await rig.video.find?.(params, NEVER);
  return { outcome, urls: vendor.recorded.map(({ url }) => url) };
}

it('recognizes a task by its payload, whatever its time', async () => {
  const tasks = [
    { id: '1', payload: 'video_task2-1', created_at: '2026-01-02T03:04:06Z' },
    { id: '2', payload: PAYLOAD },
    { id: '3', payload: `${PAYLOAD}0`, created_at: '2026-01-02T03:04:06Z' },
    { id: '4', created_at: '2026-01-02T03:04:06Z' },
    { payload: PAYLOAD },
    'nonsense',
  ];
  expect(await lookUp([{ tasks, next_page_token: '' }])).toEqual({
    outcome: { kind: 'candidates', certain: true, jobs: [{ upstreamId: '2' }] },
    urls: ['/ent/v2/tasks?pager.pagesz=100'],
  });
});

it('pins the watermark of a recovered task', async () => {
  const params = videoParams({ watermark: true }, { submittedAt: SUBMISSION.submittedAt });
  expect((await lookUp([{ tasks: [{ id: '2', payload: PAYLOAD }] }], params)).outcome).toMatchObject({
    jobs: [{ upstreamId: '2', path: 'watermarked' }],
  });
});

it('reads the list by its cursors, back to the time of the submission', async () => {
  const { outcome, urls } = await lookUp([
    { tasks: [{ id: '1', created_at: '2026-01-02T03:04:09Z' }], next_page_token: 'a&b' },
    { tasks: [{ id: '2', payload: PAYLOAD, created_at: '2026-01-02T03:04:06.123Z' }], next_page_token: 'c' },
    { tasks: [{ id: '3', created_at: '2026-01-02T03:03:00Z' }], next_page_token: 'd' },
  ]);
  expect(outcome).toMatchObject({ jobs: [{ upstreamId: '2' }] });
  expect(urls).toEqual([
    '/ent/v2/tasks?pager.pagesz=100',
    '/ent/v2/tasks?pager.pagesz=100&pager.page_token=a%26b',
    '/ent/v2/tasks?pager.pagesz=100&pager.page_token=c',
  ]);
});

it('does not treat a list without the task as proof that it does not exist', async () => {
  expect((await lookUp([{ tasks: [] }])).outcome).toEqual({ kind: 'candidates', certain: true, jobs: [] });
  expect((await lookUp([{}])).outcome).toMatchObject({ kind: 'unclear' });
});
