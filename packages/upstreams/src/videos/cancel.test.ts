import { expect, it } from 'vitest';
import { sendJson, startServer } from '../../test/local-server.ts';
import { job, NEVER, videosRig } from '../../test/videos-rig.ts';

async function cancelWith(status: number, state: string) {
  await using server = await startServer((request, response) => {
    if (request.method === 'DELETE') sendJson(response, status, {});
    else sendJson(response, 200, { status: state });
  });
  await using rig = videosRig(server.origin);
  const outcome = await rig.video.cancel?.(job(server.origin), NEVER);
  return [outcome?.kind, ...server.requests.map(({ method, url }) => `${method} ${url}`)];
}

it.each([
  [200, 'queued', 'canceled'],
  [204, 'queued', 'canceled'],
  [404, 'queued', 'unsupported'],
  [405, 'queued', 'unsupported'],
  [500, 'queued', 'unclear'],
  [401, 'queued', 'unclear'],
])('HTTP %i', async (status, state, kind) => {
  expect(await cancelWith(status, state)).toEqual([kind, 'DELETE /v1/videos/up_1']);
});

it.each([
  [409, 'completed', 'too_late'],
  [400, 'completed', 'too_late'],
  [409, 'in_progress', 'unsupported'],
  [400, 'failed', 'unsupported'],
])('HTTP %i, and a poll says %s', async (status, state, kind) => {
  expect(await cancelWith(status, state)).toEqual([kind, 'DELETE /v1/videos/up_1', 'GET /v1/videos/up_1']);
});

it('a lost answer leaves it open', async () => {
  await using server = await startServer((request) => request.socket.destroy());
  await using rig = videosRig(server.origin);
  expect(await rig.video.cancel?.(job(server.origin), NEVER)).toMatchObject({ kind: 'unclear' });
  expect(server.requests).toHaveLength(1);
});
