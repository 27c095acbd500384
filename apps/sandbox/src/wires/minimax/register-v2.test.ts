import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { at, type WireResponse, wireCaller } from '../../../test/wire-caller.ts';
import { type RunningSandbox, type SandboxSettings, startSandbox } from '../../start-sandbox.ts';

const START = 1_767_323_045_000;
const DAY_MS = 24 * 3600 * 1000;
const QUERY = '/query/video_generation';
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

const call = wireCaller(() => `${sandbox.url}/minimax/v2`, { authorization: 'Bearer sk-sandbox' });

function submit(text: string): Promise<WireResponse> {
  const content = [{ type: 'text', text }];
  return call('POST', '/video_generation', {
    model: 'MiniMax-H3',
    content,
    resolution: '768P',
    duration: 4,
    ratio: '1:1',
  });
}

async function submitted(text: string): Promise<string> {
  return String((await submit(text)).body.task_id);
}

const poll = async (id: string): Promise<WireResponse> => call('GET', `${QUERY}/${id}`);
const remove = async (id: string): Promise<WireResponse> => call('DELETE', `/video_generation/${id}`);
const statusOf = async (id: string): Promise<unknown> => at((await poll(id)).body, 'task.status');

describe('the key', () => {
  it.each([
    ['POST', '/video_generation'],
    ['GET', QUERY],
    ['GET', `${QUERY}/1`],
    ['DELETE', '/video_generation/1'],
  ])('is required for %s %s', async (method, path) => {
    for (const authorization of ['', 'Bearer sk-other']) {
      const response = await call(method, path, method === 'POST' ? {} : undefined, { authorization });
      expect(response).toMatchObject({ status: 401, body: { type: 'error', error: { type: 'authorized_error' } } });
    }
  });
});

describe('a task of v2', () => {
  it('goes from queued to succeeded, and is deleted after a week', async () => {
    const { status, body } = await submit('kite');
    expect([status, body]).toEqual([200, { task_id: expect.stringMatching(/^\d{19}$/) }]);
    const id = String(body.task_id);
    const words: unknown[] = [];
    for (const step of [0, 500, 500]) {
      clock += step;
      words.push(await statusOf(id));
    }
    expect(words).toEqual(['queued', 'running', 'succeeded']);
    const video = await fetch(String(at((await poll(id)).body, 'task.content.url')));
    expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    clock += 7 * DAY_MS;
    expect(await poll(id)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('invalid task_id') } },
    });
    expect((await call('GET', QUERY)).body).toEqual({ items: [], total: 0 });
  });

  it('is listed with its request’s fields', async () => {
    const id = await submitted('kite');
    const filtered = await call(
      'GET',
      `${QUERY}?page_num=1&page_size=10&filter.model=MiniMax-H3&filter.task_type=generation`,
    );
    const item = { id, model: 'MiniMax-H3', status: 'queued', resolution: '768P', duration: 4, ratio: '1:1' };
    expect(filtered).toMatchObject({ status: 200, body: { total: 1, items: [item] } });
    expect((await call('GET', `${QUERY}?filter.task_type=regeneration`)).body).toEqual({ items: [], total: 0 });
    expect((await call('GET', `${QUERY}?filter.status=failed`)).body).toEqual({ items: [], total: 0 });
    expect((await call('GET', `${QUERY}?page_size=0`)).status).toBe(400);
  });

  it('is canceled while queued, deleted once finished, and rejected otherwise', async () => {
    const queued = await submitted('kite');
    expect((await remove(queued)).body).toEqual({ task_id: queued, action: 'cancelled' });
    expect(await statusOf(queued)).toBe('cancelled');
    expect(await remove(queued)).toMatchObject({ status: 400, body: { error: { type: 'bad_request_error' } } });
    const running = await submitted('boat');
    clock += 500;
    expect((await remove(running)).status).toBe(400);
    clock += 500;
    expect((await remove(running)).body).toEqual({ task_id: running, action: 'deleted' });
    expect((await poll(running)).status).toBe(400);
  });

  it('waits if the account is at its limit', async () => {
    await sandbox.close();
    await serve({ concurrency: { minimax: 1 } });
    await submit('kite');
    const id = await submitted('boat');
    clock += 1000;
    expect(await statusOf(id)).toBe('queued');
  });

  it('is unknown to v1', async () => {
    const id = await submitted('kite');
    const other = await fetch(`${sandbox.url}/minimax/v1/query/video_generation?task_id=${id}`, {
      headers: { authorization: 'Bearer sk-sandbox' },
    });
    expect(at(await other.json(), 'base_resp.status_code')).toBe(2013);
  });

  it('returns an unknown status in the vendor’s format', async () => {
    expect(await call('POST', '/video_generation', '{')).toMatchObject({ status: 400, body: { type: 'error' } });
    expect(await call('GET', '/nonsense')).toMatchObject({ status: 404, body: { error: { type: 'not_found_error' } } });
  });
});

describe('directives', () => {
  it.each([
    ['[moderation]', 422, 'unprocessable_entity_error'],
    ['[refused]', 400, 'bad_request_error'],
    ['[balance]', 402, 'insufficient_balance_error'],
    ['[429]', 429, 'rate_limit_error'],
    ['[503]', 529, 'overloaded_error'],
  ])('%s at a submission', async (word, status, type) => {
    expect(await submit(`kite ${word}`)).toMatchObject({
      status,
      body: { error: { type, http_code: String(status) } },
    });
  });

  it('[500] and [garbage] at a poll', async () => {
    expect(await poll(await submitted('kite [500]'))).toMatchObject({
      status: 500,
      body: { error: { type: 'server_error' } },
    });
    expect(await statusOf(await submitted('kite [garbage]'))).toBe('reviewing');
  });

  it('[moderated-output] is returned with 200', async () => {
    const id = await submitted('kite [moderated-output]');
    clock += 1000;
    expect(await poll(id)).toMatchObject({
      status: 200,
      body: { task: { status: 'failed', error: { code: '1027' } } },
    });
  });
});
