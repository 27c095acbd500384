import { expect, it } from 'vitest';
import { sendJson, startServer } from '../../test/local-server.ts';
import { API_KEY, FILE, job, NEVER, videosRig } from '../../test/videos-rig.ts';

it('sends the credential only to the origin of the account that accepted the job', async () => {
  await using before = await startServer((_request, response) => sendJson(response, 401, {}));
  await using now = await startServer((_request, response) => sendJson(response, 200, { status: 'queued' }));
  await using rig = videosRig(now.origin, { allow: [before.origin] });
  expect(await rig.video.poll(job(before.origin), NEVER)).toMatchObject({ kind: 'unclear' });
  expect(await rig.video.openContent(job(before.origin), FILE, NEVER)).toMatchObject({ kind: 'unclear' });
  expect(await rig.video.cancel?.(job(before.origin), NEVER)).toMatchObject({ kind: 'unclear' });
  expect(before.requests.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(await rig.video.poll(job(now.origin), NEVER)).toMatchObject({ kind: 'running' });
  expect(now.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${API_KEY}`]);
});

it('hides the hosts of account and job in messages', async () => {
  await using before = await startServer((_request, response) =>
    sendJson(response, 200, { status: 'failed', error: { message: `lost at ${new URL(before.origin).host}` } }),
  );
  await using rig = videosRig('https://vendor.example');
  const outcome = await rig.video.poll(job(before.origin), NEVER);
  expect(outcome).toMatchObject({ kind: 'failed' });
  expect(JSON.stringify(outcome)).not.toContain(new URL(before.origin).port);
});
