import { createReadStream, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBody, sendJson, startServer, until, deadOrigin } from '../../test/local-server.ts';
import { API_KEY, NEVER, image as imageInput, submission, videosRig, withImages } from '../../test/videos-rig.ts';

async function outcomeOf(status: number, body: unknown, headers: Record<string, string> = {}) {
  await using server = await startServer(async (request, response) => {
    await readBody(request);
    sendJson(response, status, body, headers);
  });
  await using rig = videosRig(server.origin, { now: () => Date.UTC(2026, 0, 2, 3, 4, 5) });
  return await rig.video.submit(submission(), NEVER);
}

describe('request', () => {
  it('is a form with the image as input_reference, and carries the task id', async () => {
    const forms: FormData[] = [];
    await using server = await startServer(async (request, response) => {
      const type = request.headers['content-type'] ?? '';
      forms.push(await new Response(await readBody(request), { headers: { 'content-type': type } }).formData());
      sendJson(response, 200, { id: 'up_1' });
    });
    await using rig = videosRig(server.origin);
    const metadata = { mode: 'pro', camera: { pan: 1 }, model: 'dear-model' };
    const params = withImages(imageInput('PNG bytes'));
    const request = { ...params.request, prompt: 'ein Drachen', metadata };
    await rig.video.submit({ ...params, request }, NEVER);
    const [form] = forms;
    if (form === undefined) throw new Error('no form arrived');
    const file = form.get('input_reference');
    if (!(file instanceof File)) throw new Error('no file arrived');
    expect([file.name, file.type, await file.text()]).toEqual(['kite.png', 'image/png', 'PNG bytes']);
    form.delete('input_reference');
    expect([...form.entries()]).toEqual([
      ['model', 'sora-2'],
      ['prompt', 'ein Drachen'],
      ['seconds', '8'],
      ['size', '1280x720'],
      ['mode', 'pro'],
      ['camera[pan]', '1'],
    ]);
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/videos' });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${API_KEY}`,
      'x-client-request-id': 'video_task1',
    });
  });

  it('is not sent if the protocol cannot encode it', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, { id: 'up_1' }));
    await using rig = videosRig(server.origin);
    for (const roles of [['first_frame', 'reference'], ['last_frame']] as const) {
      const outcome = await rig.video.submit(withImages(...roles.map((role) => imageInput('a', role))), NEVER);
      expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
    }
    expect(server.requests).toHaveLength(0);
  });

  it('is not sent if the image cannot be opened', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, { id: 'up_1' }));
    await using rig = videosRig(server.origin);
    const image = { ...imageInput('a'), open: () => Promise.reject(new Error('gone')) };
    expect(await rig.video.submit(withImages(image), NEVER)).toMatchObject({ kind: 'busy' });
    expect(server.requests).toHaveLength(0);
  });

  it('closes the image even if nothing could be sent', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'sluice-')), 'kite.png');
    writeFileSync(path, 'PNG bytes');
    const stream = createReadStream(path);
    await using rig = videosRig(await deadOrigin());
    const image = { ...imageInput('PNG bytes'), open: () => Promise.resolve(stream) };
    expect(await rig.video.submit(withImages(image), NEVER)).toMatchObject({ kind: 'busy' });
    await until(() => stream.closed);
  });
});

describe('variation', () => {
  const remix = { taskId: 'video_a', upstreamId: 'up/../a' };

  it('sends only the prompt, under the path of its original', async () => {
    const bodies: unknown[] = [];
    await using server = await startServer(async (request, response) => {
      bodies.push(JSON.parse((await readBody(request)).toString()));
      sendJson(response, 200, { id: 'up_2', remixed_from_video_id: 'up/../a' });
    });
    await using rig = videosRig(server.origin);
    const { request } = submission();
    const params = submission({ request: { ...request, seed: 7, metadata: { mode: 'pro' }, remix } });
    expect(await rig.video.submit(params, NEVER)).toEqual({ kind: 'accepted', upstreamId: 'up_2' });
    expect(bodies).toEqual([{ prompt: 'a red kite' }]);
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/videos/up%2F..%2Fa/remix' });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${API_KEY}`,
      'content-type': 'application/json',
    });
  });

  it('of a deleted video is refused', async () => {
    await using server = await startServer((_request, response) =>
      sendJson(response, 404, { error: { message: 'Video not found', type: 'invalid_request_error' } }),
    );
    await using rig = videosRig(server.origin);
    const params = submission({ request: { ...submission().request, remix } });
    expect(await rig.video.submit(params, NEVER)).toEqual({
      kind: 'rejected',
      code: 'invalid_request',
      message: 'Video not found',
    });
  });
});

describe('accepted', () => {
  it.each([
    [
      { id: 'up_1', seconds: 4, size: '720x1280' },
      { upstreamId: 'up_1', seconds: '4', size: '720x1280' },
    ],
    [{ id: 12345 }, { upstreamId: '12345' }],
    [{ task_id: 't1', status: 'NOT_START' }, { upstreamId: 't1' }],
    [{ code: 'success', data: { task_id: 't2' } }, { upstreamId: 't2' }],
  ])('reads the job: %o', async (body, expected) => {
    expect(await outcomeOf(200, body)).toEqual({ kind: 'accepted', ...expected });
  });

  it('returns the time of the first poll', async () => {
    expect(await outcomeOf(201, { id: 'a' }, { 'openai-poll-after-ms': '1500' })).toMatchObject({ retryAfterMs: 1500 });
  });
});

describe('unknown', () => {
  it.each([
    {},
    { id: '' },
    { id: null },
    { id: {} },
    { id: 2 ** 60 },
    { id: '..' },
    { id: 'a b' },
    { id: 'x'.repeat(600) },
    [],
    'queued',
    { error: { message: 'no' } },
    { code: 'success', message: '', data: null },
    { code: 'get_channel_failed', message: 'why', data: null },
    { code: 'invalid_request', message: 'why', data: { id: 2 ** 60 } },
    { code: 'invalid_request', message: 'why', id: 2 ** 60 },
  ])('after a success without a usable id: %o', async (body) => {
    expect(await outcomeOf(200, body)).toMatchObject({ kind: 'unknown' });
  });

  it.each([301, 307, 408, 409, 500, 502, 504, 520])('after HTTP %i', async (status) => {
    expect(await outcomeOf(status, {})).toMatchObject({ kind: 'unknown' });
  });
});

const error = (code: string, message = 'why') => ({ error: { code, message } });

describe('refused', () => {
  it.each([
    [400, error('invalid_value'), { kind: 'rejected', code: 'invalid_request', message: 'why' }],
    [400, {}, { kind: 'rejected', message: 'The upstream returned HTTP 400.' }],
    [404, error('model_not_found'), { kind: 'rejected', code: 'invalid_request' }],
    [405, {}, { kind: 'rejected', code: 'invalid_request' }],
    [413, {}, { kind: 'rejected', code: 'invalid_request' }],
    [415, {}, { kind: 'rejected', code: 'invalid_request' }],
    [200, { code: 'insufficient_user_quota', message: 'x', data: null }, { kind: 'account', code: 'provider_quota' }],
    [
      200,
      { code: 'invalid_size', message: 'x', data: null },
      { kind: 'rejected', code: 'invalid_request', message: 'x' },
    ],
    [200, { code: 'moderation_blocked', message: 'x' }, { kind: 'rejected', code: 'content_policy' }],
    [200, error('invalid_value'), { kind: 'rejected', code: 'invalid_request' }],
    [422, { detail: [] }, { kind: 'rejected', code: 'invalid_request' }],
    [400, error('content_policy_violation'), { kind: 'rejected', code: 'content_policy' }],
    [403, error('moderation_blocked'), { kind: 'rejected', code: 'content_policy' }],
    [400, error('billing_hard_limit_reached'), { kind: 'account', code: 'provider_quota' }],
    [403, { code: 'insufficient_user_quota', message: 'x' }, { kind: 'account', code: 'provider_quota' }],
    [402, {}, { kind: 'account', code: 'provider_quota' }],
    [429, error('insufficient_quota'), { kind: 'account', code: 'provider_quota' }],
    [429, error('rate_limit_exceeded'), { kind: 'busy', code: 'rate_limited' }],
    [401, {}, { kind: 'account', code: 'provider_auth' }],
    [403, {}, { kind: 'account', code: 'provider_auth' }],
    [503, error('insufficient_quota'), { kind: 'busy', code: 'provider_error' }],
  ])('HTTP %i %o', async (status, body, expected) => {
    expect(await outcomeOf(status, body)).toMatchObject(expected);
  });

  it.each([
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:10 GMT' }, 5000],
  ])('temporarily, until %o', async (headers, retryAfterMs) => {
    expect(await outcomeOf(429, {}, headers)).toMatchObject({ kind: 'busy', retryAfterMs });
    expect(await outcomeOf(503, {}, headers)).toMatchObject({ kind: 'busy', retryAfterMs });
  });

  it('hides key, host, and link from the client', async () => {
    const message = `Bad request to https://vendor.example/v1 with ${API_KEY} at 127.0.0.1, request id req_8a7f2c1`;
    const outcome = await outcomeOf(400, { error: { message } });
    expect(outcome).toMatchObject({ kind: 'rejected' });
    expect(JSON.stringify(outcome)).not.toMatch(/vendor|0123456789|127\.0|8a7f2c1/);
  });
});

it('logs a lost response without key, prompt, or address', async () => {
  await using server = await startServer((request) => request.socket.destroy());
  await using rig = videosRig(server.origin);
  await rig.video.submit(submission(), NEVER);
  expect(rig.logged()).toContain('"sent":"maybe"');
  expect(rig.logged()).not.toMatch(/0123456789|red kite|127\.0/);
});
