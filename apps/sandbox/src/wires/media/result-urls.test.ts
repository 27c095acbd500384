import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { testJob, testVendor } from '../../../test/media-rig.ts';
import { createResultUrls } from './result-urls.ts';

it('createResultUrls returns URLs on the host that the client reached, and their expiry', async () => {
  const vendor = testVendor({ now: () => 5000 });
  const app = fastify();
  const files = [{ index: 2, kind: 'png' }] as const;
  app.get('/end', (request) => createResultUrls(vendor, request, testJob(), { lifeMs: 60, since: 'end' }, files));
  app.get('/request', (request) =>
    createResultUrls(vendor, request, testJob(), { lifeMs: 60, since: 'request' }, files),
  );
  const url = expect.stringMatching(
    /^http:\/\/vendor\.test:81\/_files\/vidu\/job-1\/2\.png\?expires=\d+&signature=\w{64}$/,
  );
  const toTask = async (path: string): Promise<unknown> =>
    (await app.inject({ url: path, headers: { host: 'vendor.test:81' } })).json();
  expect(await toTask('/end')).toEqual({ urls: [url], expiresAt: 1060 });
  expect(await toTask('/request')).toEqual({ urls: [url], expiresAt: 5060 });
  await app.close();
});
