import { describe, expect, it } from 'vitest';
import { sendJson, startServer } from '../../test/local-server.ts';
import { API_KEY, FILE, job, NEVER, videosRig } from '../../test/videos-rig.ts';

async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('content', () => {
  it('is downloaded from the endpoint with the credential', async () => {
    await using server = await startServer((_request, response) => response.end('clip'));
    await using rig = videosRig(server.origin);
    const outcome = await rig.video.openContent(job(server.origin), FILE, NEVER);
    expect(outcome.kind === 'opened' && (await read(outcome.body))).toBe('clip');
    expect(server.requests[0]?.url).toBe('/v1/videos/up_1/content');
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
  });

  it('follows a redirect without the credential', async () => {
    await using store = await startServer((_request, response) => response.end('clip'));
    await using server = await startServer((_request, response) =>
      response.writeHead(302, { location: `${store.origin}/signed` }).end(),
    );
    await using rig = videosRig(server.origin, { allow: [store.origin] });
    const outcome = await rig.video.openContent(job(server.origin), FILE, NEVER);
    expect(outcome.kind === 'opened' && (await read(outcome.body))).toBe('clip');
    expect(store.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is downloaded with the account’s headers, which stay with its origin', async () => {
    await using store = await startServer((_request, response) => response.end('clip'));
    await using server = await startServer((_request, response) =>
      response.writeHead(302, { location: `${store.origin}/signed` }).end(),
    );
    const headers = { 'API-Key': 'az-0123456789', 'X-Tenant-Secret': 't-0123456789' };
    await using rig = videosRig(server.origin, { allow: [store.origin], headers });
    const outcome = await rig.video.openContent(job(server.origin), FILE, NEVER);
    expect(outcome.kind === 'opened' && (await read(outcome.body))).toBe('clip');
    expect(server.requests[0]?.headers).toMatchObject({
      'api-key': 'az-0123456789',
      'x-tenant-secret': 't-0123456789',
    });
    expect(JSON.stringify(store.requests[0]?.headers)).not.toContain('0123456789');
  });

  it('is not downloaded from an internal address that the upstream names', async () => {
    await using inside = await startServer((_request, response) => response.end('secret'));
    await using server = await startServer((_request, response) =>
      response.writeHead(302, { location: `${inside.origin}/secret?signature=s` }).end(),
    );
    await using rig = videosRig(server.origin);
    const outcome = await rig.video.openContent(job(server.origin), FILE, NEVER);
    expect(outcome).toMatchObject({ kind: 'denied', message: 'The URL does not resolve to a public address.' });
    expect(inside.connections()).toBe(0);
    expect(rig.logged()).toContain('forbidden_address');
    expect(rig.logged()).not.toMatch(/signature|0123456789|127\.0\.0\.1/);
  });

  it.each([
    ['url', (url: string) => ({ url })],
    ['video_url', (url: string) => ({ video_url: url })],
    ['metadata.url', (url: string) => ({ metadata: { url } })],
    ['output.url', (url: string) => ({ output: { url } })],
    ['data.url', (url: string) => ({ data: { url } })],
  ])('is downloaded from %s of the job if there is no endpoint', async (_field, format) => {
    await using store = await startServer((_request, response) => response.end('clip'));
    await using server = await startServer((request, response) => {
      if (request.url?.endsWith('/content')) sendJson(response, 404, {});
      else sendJson(response, 200, { status: 'completed', ...format(`${store.origin}/clip.mp4`) });
    });
    await using rig = videosRig(server.origin, { allow: [store.origin] });
    const outcome = await rig.video.openContent(job(server.origin), FILE, NEVER);
    expect(outcome.kind === 'opened' && (await read(outcome.body))).toBe('clip');
    expect(store.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is expired after HTTP 410', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 410, {}));
    await using rig = videosRig(server.origin);
    expect(await rig.video.openContent(job(server.origin), FILE, NEVER)).toMatchObject({ kind: 'expired' });
  });

  it.each([401, 403, 404])('may appear later after HTTP %i unless the job’s expiry has passed', async (status) => {
    let reply: object = { status: 'completed' };
    await using server = await startServer((request, response) => {
      if (request.url?.endsWith('/content')) sendJson(response, status, {}, { 'retry-after': '4' });
      else sendJson(response, 200, reply);
    });
    await using rig = videosRig(server.origin, { now: () => 1_000_000_000_000 });
    const open = () => rig.video.openContent(job(server.origin), FILE, NEVER);
    expect(await open()).toMatchObject({ kind: 'unclear', retryAfterMs: 4000 });
    reply = { status: 'completed', expires_at: 1_000_000_001 };
    expect(await open()).toMatchObject({ kind: 'unclear' });
    reply = { status: 'completed', expires_at: 1_000_000_000 };
    expect(await open()).toMatchObject({ kind: 'expired' });
  });

  it.each([
    [403, 'denied'],
    [404, 'denied'],
    [410, 'expired'],
  ])('has the same outcome at the job’s own URL: HTTP %i is %s', async (status, kind) => {
    await using store = await startServer((_request, response) => sendJson(response, status, {}));
    await using server = await startServer((request, response) => {
      if (request.url?.endsWith('/content')) sendJson(response, 404, {});
      else sendJson(response, 200, { status: 'completed', url: `${store.origin}/clip.mp4` });
    });
    await using rig = videosRig(server.origin, { allow: [store.origin] });
    expect(await rig.video.openContent(job(server.origin), FILE, NEVER)).toMatchObject({ kind });
  });

  it.each([403, 404])('is denied with HTTP %i if the job exists', async (status) => {
    await using server = await startServer((request, response) => {
      if (request.url?.endsWith('/content')) sendJson(response, status, {});
      else sendJson(response, 200, { status: 'completed' });
    });
    await using rig = videosRig(server.origin);
    expect(await rig.video.openContent(job(server.origin), FILE, NEVER)).toMatchObject({ kind: 'denied' });
  });

  it.each([401, 403, 404])('may appear later if polling the job returns HTTP %i', async (status) => {
    await using server = await startServer((_request, response) => sendJson(response, status, {}));
    await using rig = videosRig(server.origin);
    const outcome = await rig.video.openContent(job(server.origin), FILE, NEVER);
    expect(outcome).toMatchObject({ kind: 'unclear' });
  });

  it('is refused if its declared length exceeds the limit', async () => {
    await using server = await startServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '10000001' }).write('clip'),
    );
    await using rig = videosRig(server.origin);
    expect(await rig.video.openContent(job(server.origin), FILE, NEVER)).toEqual({
      kind: 'refused',
      code: 'provider_error',
      message: 'The file is larger than allowed.',
    });
  });

  it.each([401, 409, 429, 500, 503])('may appear later after HTTP %i', async (status) => {
    await using server = await startServer((_request, response) =>
      sendJson(response, status, {}, { 'retry-after': '4' }),
    );
    await using rig = videosRig(server.origin);
    expect(await rig.video.openContent(job(server.origin), FILE, NEVER)).toMatchObject({
      kind: 'unclear',
      retryAfterMs: 4000,
    });
  });

  it('is not lost when the upstream fails the second request', async () => {
    await using server = await startServer((request, response) =>
      sendJson(response, request.url?.endsWith('/content') ? 404 : 502, {}),
    );
    await using rig = videosRig(server.origin);
    expect(await rig.video.openContent(job(server.origin), FILE, NEVER)).toMatchObject({ kind: 'unclear' });
  });

  it('is refused if it is JSON or a web page', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, { status: 'completed' }));
    await using rig = videosRig(server.origin);
    expect(await rig.video.openContent(job(server.origin), FILE, NEVER)).toMatchObject({ kind: 'unclear' });
  });
});
