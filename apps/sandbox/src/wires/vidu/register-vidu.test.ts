import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { at, type WireResponse, wireCaller } from '../../../test/wire-caller.ts';
import { type RunningSandbox, type SandboxSettings, startSandbox } from '../../start-sandbox.ts';
import { VIDU_CALLS } from './vidu-models.ts';

const START = 1_767_323_045_000;
const DAY_MS = 24 * 3600 * 1000;
let clock = START;
let sandbox: RunningSandbox;

async function serve(settings: SandboxSettings = {}): Promise<void> {
  sandbox = await startSandbox({ renderMs: 1000, now: () => clock, visibleAfterMs: 0, ...settings });
}
beforeEach(async () => {
  clock = START;
  await serve();
});
afterEach(() => sandbox.close());

const call = wireCaller(() => `${sandbox.url}/vidu/ent/v2`, { authorization: 'Token sk-sandbox' });

function submit(prompt: string, more: object = {}): Promise<WireResponse> {
  return call('POST', '/text2video', { model: 'viduq2', prompt, duration: 1, ...more });
}

async function submitted(prompt: string, more: object = {}): Promise<string> {
  return String((await submit(prompt, more)).body.task_id);
}

const poll = async (id: string): Promise<WireResponse> => call('GET', `/tasks/${id}/creations`);
const cancel = async (id: string): Promise<WireResponse> => call('POST', `/tasks/${id}/cancel`, { id });

describe('the key', () => {
  it.each([
    ...VIDU_CALLS.map((path) => ['POST', `/${path}`]),
    ['GET', '/tasks'],
    ['GET', '/tasks/1/creations'],
    ['POST', '/tasks/1/cancel'],
  ] as [string, string][])('is required for %s %s, as a Token', async (method, path) => {
    for (const authorization of ['', 'Token sk-other', 'Bearer sk-sandbox', 'sk-sandbox']) {
      const response = await call(method, path, method === 'POST' ? {} : undefined, { authorization });
      expect(response).toMatchObject({ status: 401, body: { code: 401, reason: 'Unauthorized' } });
    }
  });
});

describe('a task', () => {
  it('goes from created to success with new URLs that expire after a day', async () => {
    const { status, body } = await submit('kite', { payload: 'mine' });
    expect([status, body]).toMatchObject([
      200,
      {
        task_id: expect.stringMatching(/^\d{19}$/),
        state: 'created',
        payload: 'mine',
        duration: 1,
        resolution: '720p',
      },
    ]);
    const id = String(body.task_id);
    const words: unknown[] = [];
    for (const step of [0, 500, 500]) {
      clock += step;
      words.push((await poll(id)).body.state);
    }
    expect(words).toEqual(['queueing', 'processing', 'success']);
    const creation = at((await poll(id)).body, 'creations.0');
    const video = await fetch(String(at(creation, 'url')));
    expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    const cover = await fetch(String(at(creation, 'cover_url')));
    expect([cover.status, cover.headers.get('content-type')]).toEqual([200, 'image/png']);
    clock += DAY_MS;
    expect((await fetch(String(at(creation, 'url')))).status).toBe(403);
    expect((await fetch(String(at((await poll(id)).body, 'creations.0.url')))).status).toBe(200);
  });

  it('is listed with its payload for 7 days', async () => {
    const id = await submitted('kite', { payload: 'mine' });
    await submitted('boat');
    const page = await call('GET', '/tasks?pager.pagesz=100');
    expect(page).toMatchObject({
      status: 200,
      body: {
        tasks: [
          { prompt: 'boat', payload: '' },
          { id, state: 'queueing', prompt: 'kite', payload: 'mine' },
        ],
        next_page_token: '',
      },
    });
    const first = await call('GET', '/tasks?pager.pagesz=1');
    const second = await call('GET', `/tasks?pager.pagesz=1&pager.page_token=${String(first.body.next_page_token)}`);
    expect([at(first.body, 'tasks.0.prompt'), at(second.body, 'tasks.0.prompt')]).toEqual(['boat', 'kite']);
    clock += 7 * DAY_MS;
    expect((await call('GET', '/tasks')).body).toEqual({ tasks: [], next_page_token: '' });
    expect((await poll(id)).status).toBe(200);
  });

  it('is canceled if it is off-peak and has not started', async () => {
    const id = await submitted('kite', { off_peak: true });
    expect(await cancel(id)).toMatchObject({ status: 200, body: {} });
    expect((await poll(id)).body).toMatchObject({ state: 'failed', err_code: 'UserCancelled', creations: [] });
    expect(await cancel(id)).toMatchObject({ status: 400, body: { reason: 'BadRequest' } });
    const message = 'task state is scheduled, can not cancel';
    expect(await cancel(await submitted('boat'))).toMatchObject({ status: 400, body: { code: 400, message } });
    const running = await submitted('boat', { off_peak: true });
    clock += 500;
    expect((await cancel(running)).status).toBe(400);
    expect((await cancel('1')).status).toBe(404);
  });

  it('is rejected if the account is at its limit', async () => {
    await sandbox.close();
    await serve({ concurrency: { vidu: 1 } });
    expect((await submit('kite')).status).toBe(200);
    expect(await submit('boat')).toMatchObject({ status: 429, body: { reason: 'QuotaExceeded' } });
  });

  it('is not found at first', async () => {
    await sandbox.close();
    await serve({ visibleAfterMs: 200 });
    const id = await submitted('kite');
    expect(await poll(id)).toMatchObject({ status: 404, body: { reason: 'TaskNotFound' } });
    expect((await call('GET', '/tasks')).body.tasks).toEqual([]);
    clock += 200;
    expect((await poll(id)).status).toBe(200);
  });

  it('is created from images by the other calls', async () => {
    const image = 'https://example.com/a.png';
    const bodies = {
      img2video: { model: 'viduq1', images: [image] },
      'start-end2video': { model: 'viduq1', images: [image, image] },
      reference2video: { model: 'viduq1', prompt: 'kite', images: [image, image, image] },
    };
    for (const [path, body] of Object.entries(bodies)) {
      expect(await call('POST', `/${path}`, body)).toMatchObject({ status: 200, body: { images: body.images } });
    }
  });

  it('returns an unknown status in the vendor’s format', async () => {
    expect(await call('POST', '/text2video', '{')).toMatchObject({ status: 400, body: { reason: 'BadRequest' } });
    expect(await call('POST', '/text2video', {})).toMatchObject({ status: 400, body: { reason: 'FieldLacking' } });
    expect(await call('GET', '/nonsense')).toMatchObject({ status: 404, body: { reason: 'NotFound' } });
  });
});

describe('directives', () => {
  it.each([
    ['[moderation]', 400, 'AuditSubmitIllegal'],
    ['[refused]', 400, 'FieldInvalid'],
    ['[balance]', 400, 'CreditInsufficient'],
    ['[429]', 429, 'TooManyRequests'],
    ['[503]', 429, 'SystemThrottling'],
  ])('%s at a submission', async (word, status, reason) => {
    expect(await submit(`kite ${word}`)).toMatchObject({ status, body: { code: status, reason } });
  });

  it('[500] and [garbage] at a poll', async () => {
    const broken = await poll(await submitted('kite [500]'));
    expect(broken).toMatchObject({ status: 500, body: { reason: 'InternalServiceFailure' } });
    expect((await poll(await submitted('kite [garbage]'))).body).toMatchObject({ state: 'reviewing' });
  });

  it('[lost-reply] creates a task that is found by its payload', async () => {
    await expect(submit('kite [lost-reply]', { payload: 'mine' })).rejects.toThrow('fetch failed');
    const { tasks } = (await call('GET', '/tasks')).body;
    expect(tasks).toMatchObject([{ payload: 'mine' }]);
  });

  it('[expire-once] returns another URL at the next request', async () => {
    const id = await submitted('kite [expire-once]');
    clock += 1000;
    const download = async () => (await fetch(String(at((await poll(id)).body, 'creations.0.url')))).status;
    expect([await download(), await download()]).toEqual([403, 200]);
  });
});
