import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { sendJson, startServer } from '../../test/local-server.ts';
import { NEVER, submission, videosRig } from '../../test/videos-rig.ts';

/** Time of the submission, in Unix seconds. */
const T = 1_767_323_045;
const fitting = { model: 'sora-2', prompt: 'a red kite', seconds: '8', size: '1280x720', created_at: T + 1 };

async function findWith(respond: (url: URL, response: ServerResponse) => void, more = {}) {
  await using server = await startServer((request, response) =>
    respond(new URL(request.url ?? '', 'http://x'), response),
  );
  await using rig = videosRig(server.origin);
  const outcome = await rig.video.find?.(submission(more), NEVER);
  return { outcome, requests: server.requests.map(({ url }) => url) };
}

const findIn = async (jobs: object[], more = {}) =>
  (await findWith((_url, response) => sendJson(response, 200, { object: 'list', data: jobs, has_more: false }), more))
    .outcome;

describe('candidate', () => {
  it('has the same model, prompt, duration, and size, and was created soon after', async () => {
    const jobs = [
      { id: 'later', ...fitting, created_at: T + 115 },
      { id: 'fits', ...fitting },
      { id: 'skewed', ...fitting, created_at: T - 29 },
      { id: 'spelled otherwise', ...fitting, seconds: 8 },
      { id: 'other model', ...fitting, model: 'sora-2-pro' },
      { id: 'other prompt', ...fitting, prompt: 'a blue kite' },
      { id: 'other duration', ...fitting, seconds: '4' },
      { id: 'other size', ...fitting, size: '720x1280' },
      { id: 'no size', ...fitting, size: undefined },
      { id: 'too late', ...fitting, created_at: T + 540 },
      { id: 'no prompt', ...fitting, prompt: undefined },
      { id: 'no duration', ...fitting, seconds: undefined },
      { id: 'no time', ...fitting, created_at: undefined },
      { id: 'too old', ...fitting, created_at: T - 31 },
      { ...fitting },
      'nonsense',
    ] as object[];
    expect(await findIn(jobs)).toEqual({
      kind: 'candidates',
      jobs: ['later', 'fits', 'skewed', 'spelled otherwise', 'no size'].map((upstreamId) => ({ upstreamId })),
    });
  });

  it('may have any duration if none was requested', async () => {
    const request = { kind: 'video', prompt: 'a red kite', images: [] };
    expect(await findIn([{ id: 'a', ...fitting, seconds: '4' }], { request })).toMatchObject({
      jobs: [{ upstreamId: 'a' }],
    });
  });

  it('of a variation varies the same video and has any duration', async () => {
    const remix = { taskId: 'video_a', upstreamId: 'up_a' };
    const request = { kind: 'video', prompt: 'a red kite', seconds: '8', images: [], remix };
    const jobs = [
      { id: 'fits', ...fitting, seconds: '4', remixed_from_video_id: 'up_a' },
      { id: 'unknown', ...fitting, remixed_from_video_id: null },
      { id: 'of another', ...fitting, remixed_from_video_id: 'up_b' },
    ];
    expect(await findIn(jobs, { request })).toMatchObject({
      jobs: [{ upstreamId: 'fits' }, { upstreamId: 'unknown' }],
    });
    expect(await findIn(jobs.slice(2))).toMatchObject({ jobs: [] });
  });

  it('is not recognizable without a prompt', async () => {
    const request = { kind: 'video', images: [] };
    expect(await findIn([{ id: 'a', ...fitting, prompt: undefined }], { request })).toMatchObject({ jobs: [] });
  });
});

it('does not treat an empty list as proof that the job does not exist', async () => {
  expect(await findIn([])).toEqual({ kind: 'candidates', jobs: [] });
});

describe('list', () => {
  it('is read back to the time of the submission and no further', async () => {
    const pages: Record<string, object[]> = {
      '': [{ id: 'n1', ...fitting, created_at: T + 50 }],
      n1: [{ id: 'n2', ...fitting, created_at: T + 40 }],
      n2: [{ id: 'old', ...fitting, created_at: T - 100 }],
    };
    const { outcome, requests } = await findWith((url, response) => {
      const data = pages[url.searchParams.get('after') ?? ''] ?? [];
      sendJson(response, 200, { data, has_more: true });
    });
    expect(outcome).toEqual({ kind: 'candidates', jobs: [{ upstreamId: 'n1' }, { upstreamId: 'n2' }] });
    expect(requests).toEqual([
      '/v1/videos?limit=100&order=desc',
      '/v1/videos?limit=100&order=desc&after=n1',
      '/v1/videos?limit=100&order=desc&after=n2',
    ]);
  });

  it('may be in any order', async () => {
    const jobs = [
      { id: 'old', ...fitting, created_at: T - 100 },
      { id: 'fits', ...fitting },
    ];
    const { outcome } = await findWith((url, response) => {
      const at = url.searchParams.has('after') ? 1 : 0;
      sendJson(response, 200, { data: at === 0 ? jobs : [{ id: 'n2', ...fitting }], has_more: at === 0 });
    });
    expect(outcome).toEqual({ kind: 'candidates', jobs: [{ upstreamId: 'fits' }, { upstreamId: 'n2' }] });
  });

  it('proves nothing when it repeats itself', async () => {
    const { outcome } = await findWith((_url, response) =>
      sendJson(response, 200, { data: [{ id: 'n1', ...fitting }], has_more: true }),
    );
    expect(outcome).toMatchObject({ kind: 'unclear' });
  });

  it('proves nothing when it never ends', async () => {
    let next = 0;
    const { outcome, requests } = await findWith((_url, response) =>
      sendJson(response, 200, { data: [{ id: `n${(next += 1)}`, ...fitting }], has_more: true }),
    );
    expect(outcome).toMatchObject({ kind: 'unclear' });
    expect(requests).toHaveLength(20);
  });

  it.each([
    [200, { jobs: [] }],
    [404, {}],
    [500, { data: [] }],
  ])('proves nothing when invalid: HTTP %i %o', async (status, body) => {
    const { outcome } = await findWith((_url, response) => sendJson(response, status, body));
    expect(outcome).toMatchObject({ kind: 'unclear' });
  });

  it('proves nothing when it breaks off', async () => {
    const { outcome } = await findWith((_url, response) => response.socket?.destroy());
    expect(outcome).toMatchObject({ kind: 'unclear' });
  });
});
