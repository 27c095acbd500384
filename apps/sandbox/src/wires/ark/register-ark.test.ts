import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { at, type WireResponse, wireCaller } from '../../../test/wire-caller.ts';
import { type RunningSandbox, type SandboxSettings, startSandbox } from '../../start-sandbox.ts';

const START = 1_767_323_045_000;
const DAY_MS = 24 * 3600 * 1000;
const TASKS = '/contents/generations/tasks';
const model = 'doubao-seedance-1-0-pro-250528';
let clock = START;
let sandbox: RunningSandbox;

async function serve(settings: SandboxSettings = {}): Promise<void> {
  sandbox = await startSandbox({ renderMs: 1000, now: () => clock, ...settings });
}
beforeEach(async () => {
  clock = START;
  await serve();
});
afterEach(() => sandbox.close());

const call = wireCaller(() => `${sandbox.url}/ark/api/v3`, { authorization: 'Bearer sk-sandbox' });

function submit(text: string, more: object = {}): Promise<WireResponse> {
  return call('POST', TASKS, { model, content: [{ type: 'text', text }], duration: 2, ...more });
}

async function task(text: string, more: object = {}): Promise<string> {
  return `${TASKS}/${String((await submit(text, more)).body.id)}`;
}

const poll = (path: string) => call('GET', path);

describe('the key', () => {
  it.each([
    ['POST', TASKS],
    ['GET', TASKS],
    ['GET', `${TASKS}/1`],
    ['DELETE', `${TASKS}/1`],
  ])('is required for %s %s', async (method, path) => {
    for (const authorization of ['', 'Bearer sk-other', 'sk-sandbox']) {
      const { status, body } = await call(method, path, method === 'POST' ? {} : undefined, { authorization });
      expect([status, body]).toMatchObject([401, { error: { code: 'AuthenticationError', type: 'Unauthorized' } }]);
    }
  });
});

describe('a task', () => {
  it('goes from queued to succeeded with a URL that expires after a day', async () => {
    const { status, body } = await submit('kite', { return_last_frame: true });
    expect([status, body]).toEqual([200, { id: expect.stringMatching(/^cgt-20260102\d{6}-[0-9a-f]{5}$/) }]);
    const path = `${TASKS}/${String(body.id)}`;
    const words: unknown[] = [];
    for (const step of [0, 500, 500]) {
      clock += step;
      words.push((await poll(path)).body.status);
    }
    expect(words).toEqual(['queued', 'running', 'succeeded']);
    const content = Object((await poll(path)).body.content);
    const video = await fetch(content.video_url);
    expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    const frame = await fetch(content.last_frame_url);
    expect([frame.status, frame.headers.get('content-type')]).toEqual([200, 'image/png']);
    clock += DAY_MS;
    expect((await fetch(content.video_url)).status).toBe(403);
    expect((await poll(path)).status).toBe(200);
    clock += 6 * DAY_MS;
    expect((await poll(path)).status).toBe(404);
  });

  it('is listed with its request’s fields', async () => {
    await submit('kite', { execution_expires_after: 200_000 });
    const { status, body } = await call('GET', `${TASKS}?page_num=1&page_size=100&filter.model=${model}`);
    const item = { model, status: 'queued', duration: 2, execution_expires_after: 200_000, created_at: START / 1000 };
    expect([status, body]).toMatchObject([200, { total: 1, items: [item] }]);
    await submit('boat', { service_tier: 'flex', model: 'ep-1' });
    const ids = async (query: string) => Object((await call('GET', `${TASKS}?${query}`)).body).total;
    expect([await ids(''), await ids('filter.service_tier=flex'), await ids('filter.model=ep-1')]).toEqual([1, 1, 0]);
    expect(await ids('filter.service_tier=flex&filter.model=ep-1&filter.status=queued')).toBe(1);
    expect(await call('GET', `${TASKS}?filter.service_tier=slow`)).toMatchObject({ status: 400 });
    expect(await call('GET', `${TASKS}?page_num=x`)).toMatchObject({ status: 400 });
  });

  it('is canceled while queued, and deleted a day later', async () => {
    const path = await task('kite');
    expect(await call('DELETE', path)).toMatchObject({ status: 200, body: {} });
    expect((await poll(path)).body).toMatchObject({ status: 'cancelled' });
    expect(await call('DELETE', path)).toMatchObject({ status: 409, body: { error: { type: 'Conflict' } } });
    clock += DAY_MS;
    expect(await poll(path)).toMatchObject({ status: 404, body: { error: { code: 'ResourceNotFound' } } });
    expect((await call('GET', TASKS)).body).toEqual({ items: [], total: 0 });
  });

  it('is not canceled while running, and is deleted once finished', async () => {
    const path = await task('kite');
    clock += 500;
    expect((await call('DELETE', path)).status).toBe(409);
    clock += 500;
    expect((await call('DELETE', path)).status).toBe(200);
    expect((await poll(path)).status).toBe(404);
    const counts: unknown = await (await fetch(`${sandbox.url}/_sandbox/submissions`)).json();
    expect(at(counts, 'submissions.0.canceled')).toBe(0);
  });

  it('waits if the account is at its limit', async () => {
    await sandbox.close();
    await serve({ concurrency: { ark: 1 } });
    await submit('kite');
    const path = await task('boat');
    clock += 1000;
    expect((await poll(path)).body.status).toBe('queued');
    clock += 1000;
    expect((await poll(path)).body.status).toBe('succeeded');
  });

  it('is visible immediately unless configured otherwise', async () => {
    expect((await poll(await task('kite'))).status).toBe(200);
    await sandbox.close();
    await serve({ visibleAfterMs: 200 });
    const path = await task('kite');
    expect((await poll(path)).status).toBe(404);
    expect((await call('GET', TASKS)).body).toEqual({ items: [], total: 0 });
    clock += 200;
    expect((await poll(path)).status).toBe(200);
  });

  it('returns an unknown status in the vendor’s format', async () => {
    expect(await call('POST', TASKS, '{"model":')).toMatchObject({
      status: 400,
      body: { error: { type: 'BadRequest' } },
    });
    expect(await call('POST', TASKS, [])).toMatchObject({ status: 400, body: { error: { code: 'InvalidParameter' } } });
    expect(await call('GET', '/contents')).toMatchObject({ status: 404, body: { error: { code: 'NotFound' } } });
  });
});

describe('directives', () => {
  it.each([
    ['[moderation]', 400, 'InputTextSensitiveContentDetected'],
    ['[refused]', 400, 'InvalidParameter'],
    ['[balance]', 403, 'AccountOverdueError'],
    ['[429]', 429, 'RateLimitExceeded.EndpointRPMExceeded'],
    ['[503]', 429, 'ServerOverloaded'],
  ])('%s at a submission', async (word, status, code) => {
    expect(await submit(`kite ${word}`)).toMatchObject({ status, body: { error: { code } } });
  });

  it('[500] and [garbage] at a poll', async () => {
    expect(await poll(await task('kite [500]'))).toMatchObject({
      status: 500,
      body: { error: { code: 'InternalServiceError' } },
    });
    expect((await poll(await task('kite [garbage]'))).body).toMatchObject({ status: 'reviewing' });
  });

  it('[fail] and [nothing] are returned with 200', async () => {
    const paths = [await task('kite [fail]'), await task('kite [nothing]')];
    clock += 1000;
    const [failed, empty] = await Promise.all(paths.map(poll));
    expect(failed).toMatchObject({ status: 200, body: { status: 'failed', error: { code: 'InternalServiceError' } } });
    expect(empty).toMatchObject({ status: 200, body: { status: 'succeeded', content: {} } });
    expect(at(empty, 'body.content.video_url')).toBeUndefined();
  });
});
