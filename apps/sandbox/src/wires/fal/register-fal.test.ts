import { afterEach, describe, expect, it } from 'vitest';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { type RunningSandbox, type SandboxSettings, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
afterEach(() => sandbox.close());

async function start(options: SandboxSettings = {}): Promise<void> {
  sandbox = await startSandbox({ renderMs: 20, ...options });
}

const call = wireCaller(() => `${sandbox.url}/fal`, { authorization: 'Key sk-sandbox' });
const submit = (prompt: string, headers = {}, name = 'fal-ai/veo3', more = {}) =>
  call('POST', `/${name}`, { prompt, ...more }, headers);

interface Request {
  id: string;
  path: string;
}

async function accepted(prompt: string, name = 'fal-ai/veo3', more = {}): Promise<Request> {
  const { status, body } = await submit(prompt, {}, name, more);
  expect([status, body['status']]).toEqual([200, 'IN_QUEUE']);
  const path = new URL(String(body['response_url'])).pathname.slice('/fal'.length);
  return { id: String(body['request_id']), path };
}

const status = ({ path }: Request, query = '') => call('GET', `${path}/status${query}`);
const cancel = ({ path }: Request) => call('PUT', `${path}/cancel`);
const result = ({ path }: Request) => call('GET', path);

async function ended(request: Request) {
  await expect.poll(async () => (await status(request)).body['status']).toBe('COMPLETED');
  return result(request);
}

describe('a request', () => {
  it('goes from IN_QUEUE to COMPLETED, and is visible immediately', async () => {
    await start({ renderMs: 400 });
    const { body, headers } = await submit('kite');
    expect(headers.get('x-fal-request-id')).toBe(body['request_id']);
    const url = `${sandbox.url}/fal/fal-ai/veo3/requests/${String(body['request_id'])}`;
    expect(body).toMatchObject({ response_url: url, status_url: `${url}/status`, cancel_url: `${url}/cancel` });
    const seen = new Set<string>();
    const request = { id: String(body['request_id']), path: new URL(url).pathname.slice('/fal'.length) };
    await expect
      .poll(async () => {
        const response = await status(request);
        seen.add(`${response.status} ${String(response.body['status'])}`);
        return response.status;
      })
      .toBe(200);
    const known = new Set(['202 IN_QUEUE', '202 IN_PROGRESS', '200 COMPLETED']);
    expect([...seen].filter((word) => !known.has(word))).toEqual([]);
    expect((await result(request)).body).toEqual({
      video: {
        url: expect.stringContaining('/_files/fal/'),
        content_type: 'video/mp4',
        file_name: expect.stringMatching(/\.mp4$/),
        file_size: expect.any(Number),
      },
    });
  });

  it('has no result while it runs', async () => {
    await start();
    const request = await accepted('kite [stall]');
    expect(await result(request)).toMatchObject({ status: 400, body: { detail: 'Request is still in progress' } });
    expect((await status(request, '?logs=1')).body['logs']).not.toBeNull();
  });

  it('waits if the account is at its limit, and reports its position', async () => {
    await start({ renderMs: 3_000, concurrency: { fal: 1 } });
    await accepted('first');
    const [second, third] = [await accepted('second'), await accepted('third')];
    // The first request also begins in the queue.
    await expect.poll(async () => (await status(second)).body).toMatchObject({ status: 'IN_QUEUE', queue_position: 0 });
    expect((await status(third)).body).toMatchObject({ status: 'IN_QUEUE', queue_position: 1 });
  });

  it('is found only under its application', async () => {
    await start();
    const { id, path } = await accepted('kite', 'fal-ai/flux/dev');
    expect(path).toBe(`/fal-ai/flux/requests/${id}`);
    expect((await call('GET', `/fal-ai/flux/dev/requests/${id}/status`)).status).toBe(405);
    expect((await call('GET', `/fal-ai/veo3/requests/${id}/status`)).status).toBe(404);
    expect((await call('GET', `/fal-ai/flux/requests/unknown`)).status).toBe(404);
  });

  it('can be canceled until it has ended', async () => {
    await start();
    const request = await accepted('kite [slow:60]');
    expect(await cancel(request)).toMatchObject({ status: 202, body: { status: 'CANCELLATION_REQUESTED' } });
    expect((await status(request)).body).toMatchObject({ status: 'COMPLETED', error_type: 'client_cancelled' });
    expect(await result(request)).toMatchObject({ status: 499, body: { error_type: 'client_cancelled' } });
    expect(await cancel(request)).toMatchObject({ status: 400, body: { status: 'ALREADY_COMPLETED' } });
    const unknown = { ...request, path: '/fal-ai/veo3/requests/unknown' };
    expect(await cancel(unknown)).toMatchObject({ status: 404, body: { status: 'NOT_FOUND' } });
  });

  it('returns several images, and fewer if some fail', async () => {
    await start();
    const three = { num_images: 3, image_size: 'square', seed: 7 };
    const complete = await ended(await accepted('kite', 'fal-ai/flux/dev', three));
    expect(complete.body).toMatchObject({ seed: 7, prompt: 'kite', has_nsfw_concepts: [false, false, false] });
    const image = { url: expect.any(String), width: 512, height: 512, content_type: 'image/png' };
    expect(complete.body['images']).toEqual([image, image, image]);
    const part = await ended(await accepted('kite [partial]', 'fal-ai/flux/dev', three));
    expect(part.body['images']).toHaveLength(2);
    const inline = await ended(await accepted('kite', 'fal-ai/flux/dev', { sync_mode: true }));
    expect(at(inline.body, 'images.0.url')).toMatch(/^data:image\/png;base64,/);
  });

  it('returns files with the requested lifetime, and expired ones on [expire]', async () => {
    let now = Date.now();
    await start({ now: () => now });
    const life = { 'x-fal-object-lifecycle-preference': '{"expiration_duration_seconds":60}' };
    const { body } = await submit('kite', life, 'fal-ai/flux/dev', { image_size: { width: 16, height: 16 } });
    now += 30_000;
    const response = await call('GET', `/fal-ai/flux/requests/${String(body['request_id'])}`);
    const url = String(at(response.body, 'images.0.url'));
    expect((await fetch(url)).status).toBe(200);
    now += 40_000;
    expect((await fetch(url)).status).toBe(403);
  });

  it('returns an expired URL, then a valid one', async () => {
    await start();
    const request = await accepted('kite [expire-once]', 'fal-ai/flux/dev');
    expect((await fetch(String(at((await ended(request)).body, 'images.0.url')))).status).toBe(403);
    expect((await fetch(String(at((await result(request)).body, 'images.0.url')))).status).toBe(200);
  });
});

describe('a failure', () => {
  it.each([
    ['[fail]', 500, 'internal_server_error'],
    ['[moderation]', 422, 'content_policy_violation'],
    ['[moderated-output]', 422, 'content_policy_violation'],
    ['[refused]', 422, 'feature_not_supported'],
    ['[nothing]', 422, 'no_media_generated'],
  ])('by %s is COMPLETED, and only the result shows it', async (word, code, type) => {
    await start();
    const { status: responseStatus, body, headers } = await ended(await accepted(`kite ${word}`));
    expect([responseStatus, at(body, 'detail.0.type')]).toEqual([code, type]);
    expect(headers.get('x-fal-retryable')).toBe('false');
  });

  it.each([
    ['fal-ai/veo3', { duration: '5s' }, 422, 'one_of'],
    ['fal-ai/veo3', { prompt: undefined }, 422, 'missing'],
    ['fal-ai/kling-video/v2.1/master/image-to-video', { image_url: 'kite' }, 422, 'file_download_error'],
    ['fal-ai/flux/pro', {}, 404, undefined],
  ])('of the input is COMPLETED too: %s %j', async (name, more, code, type) => {
    await start();
    const { status: responseStatus, body } = await ended(await accepted('kite', name, more));
    expect([responseStatus, at(body, 'detail.0.type')]).toEqual([code, type]);
  });

  it.each([
    ['[429]', 429, 2],
    ['[503]', 503, 1],
    ['[balance]', 403, 3],
  ])('by %s is not accepted', async (word, code, times) => {
    await start();
    for (let turn = 0; turn < times; turn += 1) {
      const { status: responseStatus, body } = await submit(`kite ${word}`);
      expect([responseStatus, body['detail']]).toEqual([code, expect.any(String)]);
    }
    if (word !== '[balance]') await accepted(`kite ${word}`);
  });

  it('by [500] and [garbage] recovers at the next poll', async () => {
    await start();
    const broken = await accepted('kite [500]');
    for (const code of [500, 500]) {
      expect(await status(broken)).toMatchObject({ status: code, body: { error_type: 'internal_error' } });
    }
    expect((await ended(broken)).status).toBe(200);
    const garbled = await accepted('kite [garbage]');
    expect(await status(garbled)).toMatchObject({ status: 200, body: { status: 'WARMING_UP' } });
    expect(await status(garbled)).toMatchObject({ status: 200, body: {} });
    await status(garbled);
    expect((await ended(garbled)).status).toBe(200);
  });
});

describe('access is denied', () => {
  it.each([
    ['', 'Authentication is required to access this application.'],
    ['Bearer sk-sandbox', 'Authentication is required to access this application.'],
    ['Key sk-wrong', 'No user found for Key ID and Secret'],
  ])('with %j', async (authorization, detail) => {
    await start();
    expect(await submit('kite', { authorization })).toMatchObject({ status: 401, body: { detail } });
  });

  it('to an unknown application, with invalid headers, or without JSON', async () => {
    await start();
    const detail = 'Application "sora" not found';
    expect(await submit('kite', {}, 'fal-ai/sora/2')).toMatchObject({ status: 404, body: { detail } });
    expect(await submit('kite', { 'x-fal-queue-priority': 'urgent' })).toMatchObject({ status: 400 });
    expect(await call('POST', '/fal-ai/veo3', '{')).toMatchObject({ status: 400, body: { error_type: 'bad_request' } });
  });
});
