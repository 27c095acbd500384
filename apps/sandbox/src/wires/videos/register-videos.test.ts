import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const START = 1_767_323_045_000;
let clock = START;
let sandbox: RunningSandbox;

beforeEach(async () => {
  clock = START;
  sandbox = await startSandbox({ apiKey: 'sk-own', renderMs: 1000, now: () => clock });
});
afterEach(() => sandbox.close());

function call(method: string, path: string, headers: Record<string, string> = { authorization: 'Bearer sk-own' }) {
  return fetch(`${sandbox.url}${path}`, { method, headers });
}

async function submit(prompt: string): Promise<string> {
  const form = new FormData();
  form.set('prompt', prompt);
  const headers = { authorization: 'Bearer sk-own' };
  const response = await fetch(`${sandbox.url}/v1/videos`, { method: 'POST', headers, body: form });
  const created: unknown = await response.json();
  return String(Object(created).id);
}

describe('the videos API', () => {
  it.each([
    ['POST', '/v1/videos'],
    ['GET', '/v1/videos'],
    ['GET', '/v1/videos/video_1'],
    ['GET', '/v1/videos/video_1/content'],
    ['DELETE', '/v1/videos/video_1'],
  ])('requires the key for %s %s', async (method, path) => {
    const wrong: Record<string, string>[] = [{}, { authorization: 'Bearer sk-sandbox' }];
    for (const headers of wrong) {
      const response = await call(method, path, headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({
        error: {
          message: 'Incorrect API key provided.',
          type: 'invalid_request_error',
          param: null,
          code: 'invalid_api_key',
        },
      });
    }
  });

  it.each([
    ['GET', '/v1/videos/video_1'],
    ['GET', '/v1/videos/video_1/content'],
    ['DELETE', '/v1/videos/video_1'],
    ['GET', '/v1/unheard-of'],
  ])('responds 404 in the vendor’s format to %s %s', async (method, path) => {
    const response = await call(method, path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'not_found', type: 'invalid_request_error' } });
  });

  it('sends a request id with every response', async () => {
    const ids = [await call('GET', '/v1/videos'), await call('GET', '/v1/videos', {})].map((response) =>
      response.headers.get('x-request-id'),
    );
    expect(ids).toEqual([expect.stringMatching(/^req_/), expect.stringMatching(/^req_/)]);
    expect(new Set(ids).size).toBe(2);
  });

  it('lists current jobs, newest first, page by page', async () => {
    const first = await submit('one');
    clock += 700;
    const second = await submit('two');
    const page = await (await call('GET', '/v1/videos?limit=1')).json();
    expect(page).toMatchObject({
      object: 'list',
      data: [{ id: second, object: 'video', status: 'queued' }],
      first_id: second,
      last_id: second,
      has_more: true,
    });
    const next = await (await call('GET', `/v1/videos?limit=1&after=${second}`)).json();
    expect(next).toMatchObject({ data: [{ id: first, status: 'in_progress', progress: 70 }], has_more: false });
    const ascending = await (await call('GET', '/v1/videos?order=asc')).json();
    expect(ascending).toMatchObject({ data: [{ id: first }, { id: second }], first_id: first, last_id: second });
    const refused = await call('GET', '/v1/videos?order=up');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { param: 'order' } });
  });

  it('returns an empty page without jobs', async () => {
    const page = await (await call('GET', '/v1/videos')).json();
    expect(page).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false });
  });

  it('cancels a running job and deletes a finished one; only the running one is counted as canceled', async () => {
    const finished = await submit('finished');
    clock += 1000;
    const running = await submit('running');
    for (const id of [running, finished]) {
      const response = await call('DELETE', `/v1/videos/${id}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ id, object: 'video.deleted', deleted: true });
      expect((await call('GET', `/v1/videos/${id}`)).status).toBe(404);
      expect((await call('GET', `/v1/videos/${id}/content`)).status).toBe(404);
    }
    expect(await (await call('GET', '/v1/videos')).json()).toMatchObject({ data: [] });
    expect(await (await call('GET', '/_sandbox/submissions')).json()).toMatchObject({
      submissions: [
        { task: 'finished', applied: 1, canceled: 0, upstream_ids: [finished] },
        { task: 'running', applied: 1, canceled: 1, upstream_ids: [running] },
      ],
    });
  });
});
