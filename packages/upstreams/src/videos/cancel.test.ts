import { expect, it } from 'vitest';
import { sendJson, startServer } from '../../test/local-server.ts';
import { job, NEVER, videosRig } from '../../test/videos-rig.ts';

/** Cancels a job at an upstream. The upstream's polls return the states in order and then repeat the last one. */
async function cancelWith(states: string[], removed = 200) {
  const remaining = [...states];
  await using server = await startServer((request, response) => {
    if (request.method === 'DELETE') sendJson(response, removed, {});
    else sendJson(response, 200, { status: remaining.length > 1 ? remaining.shift() : remaining[0] });
  });
  await using rig = videosRig(server.origin);
  const outcome = await rig.video.cancel?.(job(server.origin), NEVER);
  return [outcome?.kind, ...server.requests.map(({ method, url }) => `${method} ${url}`)];
}

const POLL = 'GET /v1/videos/up_1';
const REMOVAL = 'DELETE /v1/videos/up_1';

it.each([
  ['completed', 'too_late'],
  ['failed', 'unsupported'],
  ['cancelled', 'canceled'],
  ['a new word', 'unclear'],
])('does not remove a job that is %s', async (state, kind) => {
  expect(await cancelWith([state])).toEqual([kind, POLL]);
});

it.each([
  [200, 'queued', 'canceled'],
  [204, 'in_progress', 'canceled'],
  [500, 'queued', 'unclear'],
  [401, 'queued', 'unclear'],
])('maps HTTP %i to a deletion that is %s', async (status, state, kind) => {
  expect(await cancelWith([state], status)).toEqual([kind, POLL, REMOVAL]);
});

it.each([
  [409, 'completed', 'too_late'],
  [400, 'completed', 'too_late'],
  [409, 'in_progress', 'unsupported'],
  [404, 'queued', 'unsupported'],
  [405, 'queued', 'unsupported'],
  [400, 'failed', 'unsupported'],
])('polls again after HTTP %i for the deletion: %s', async (status, state, kind) => {
  expect(await cancelWith(['queued', state], status)).toEqual([kind, POLL, REMOVAL, POLL]);
});

it('does not remove a job that cannot be polled', async () => {
  await using server = await startServer((_request, response) => sendJson(response, 500, {}));
  await using rig = videosRig(server.origin);
  expect(await rig.video.cancel?.(job(server.origin), NEVER)).toMatchObject({ kind: 'unclear' });
  expect(server.requests).toHaveLength(1);
});

it('is unclear after a lost response', async () => {
  await using server = await startServer((request) => request.socket.destroy());
  await using rig = videosRig(server.origin);
  expect(await rig.video.cancel?.(job(server.origin), NEVER)).toMatchObject({ kind: 'unclear' });
  expect(server.requests).toHaveLength(1);
});
