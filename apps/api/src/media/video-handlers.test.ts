import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VideoSchema } from '../../../../packages/protocols/src/media/video-object.ts';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

/** Without workers, so that every task stays queued. */
let idleRig: ApiRig;
/** With a worker. The prompt selects the outcome. */
let workerRig: ApiRig;
beforeAll(async () => {
  const routes = [{ upstream: 'frames', model: 'fal-ai/wan/v2.2-a14b/text-to-video' }];
  idleRig = await apiRig({
    config: {
      upstreams: { frames: { kind: 'fal', base_url: 'http://frames.test', api_key: 'sk-frames' } },
      models: [{ id: 'frames', routes, default_seconds: '5' }],
    },
  });
  workerRig = await apiRig({
    script: {
      submit: ({ request }) =>
        request.prompt === 'refused' ? { kind: 'rejected', code: 'content_policy', message: 'Not this.' } : undefined,
    },
  });
  await workerRig.tasks.startWorker();
});
afterAll(async () => {
  await Promise.all([idleRig.close(), workerRig.close()]);
});

type Video = { id: string; status: string; seconds: string; model: string; error?: { code: string } };
const json = async (response: Response) => (await response.json()) as Video;

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString('latin1');

describe('POST /v1/videos', () => {
  it('returns the stored task at once, with its location and a poll interval', async () => {
    const response = await idleRig.create({ prompt: 'a kite', model: 'video', seconds: 8, size: '1280x720' });
    expect(response.status).toBe(200);
    const video = VideoSchema.strict().parse(await response.json());
    expect(video).toMatchObject({ object: 'video', status: 'queued', progress: 0, seconds: '8', size: '1280x720' });
    expect(response.headers.get('location')).toBe(`/v1/videos/${video.id}`);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(response.headers.get('openai-poll-after-ms'))).toBeGreaterThan(0);
    expect(response.headers.get('preference-applied')).toBeNull();
    const retrieved = await idleRig.call(response.headers.get('location') ?? '');
    expect(await retrieved.json()).toEqual(video);
  });

  it("uses the default model and the model's duration if the request sets none", async () => {
    expect(await json(await idleRig.create({ prompt: 'a' }))).toMatchObject({ model: 'video', seconds: '6' });
    expect(await json(await idleRig.create({ prompt: 'a', model: 'clip' }))).toMatchObject({
      model: 'clip',
      seconds: '4',
    });
  });

  it("returns the model's duration if its upstream does not accept one", async () => {
    const response = await idleRig.create({ prompt: 'a', model: 'frames', seconds: '1' });
    expect(response.headers.get('x-sluice-dropped')).toBe('seconds');
    expect(await json(response)).toMatchObject({ seconds: '5' });
  });

  it('suggests similar model names that the key may use', async () => {
    expect(await (await idleRig.create({ prompt: 'a', model: 'vidoe' })).json()).toMatchObject({
      error: { code: 'model_not_found', message: expect.stringContaining('video') },
    });
  });

  it('returns the same task for the same Idempotency-Key and an equivalent request', async () => {
    const key = { 'idempotency-key': 'order 1' };
    const first = await idleRig.create({ prompt: 'a', seconds: '4' }, key);
    const again = await idleRig.create({ seconds: '4', prompt: 'a' }, key);
    const form = new FormData();
    form.set('prompt', 'a');
    form.set('seconds', '4');
    const headers = { 'x-api-key': KEYS.alice, ...key };
    const asForm = await idleRig.call('/v1/videos', { method: 'POST', body: form, headers });
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    for (const replay of [again, asForm]) expect(replay.headers.get('idempotent-replayed')).toBe('true');
    const { id } = await json(first);
    expect(await json(again)).toMatchObject({ id });
    expect(await json(asForm)).toMatchObject({ id });
  });

  it('stores no second copy of a repeated image', async () => {
    const rig = await apiRig();
    try {
      const send = () => {
        const form = new FormData();
        form.set('prompt', 'a');
        form.set(
          'input_reference',
          new Blob(['\x89PNG\r\n\x1a\n'.padEnd(50)].map((text) => Buffer.from(text, 'latin1'))),
          'a.png',
        );
        const headers = { 'x-api-key': KEYS.alice, 'idempotency-key': 'k' };
        return rig.call('/v1/videos', { method: 'POST', body: form, headers });
      };
      const [first, second] = [await json(await send()), await json(await send())];
      expect(second.id).toBe(first.id);
      expect(await rig.storedFiles()).toHaveLength(1);
    } finally {
      await rig.close();
    }
  });

  it('creates separate tasks for one Idempotency-Key of different API keys', async () => {
    const key = { 'idempotency-key': 'shared' };
    const [mine, other] = [
      await idleRig.create({ prompt: 'a' }, key),
      await idleRig.create({ prompt: 'a' }, key, KEYS.bob),
    ];
    expect((await json(mine)).id).not.toBe((await json(other)).id);
  });

  it('returns the existing task to an SDK retry, and creates a new one for a second request', async () => {
    const body = { prompt: 'repeated by an SDK' };
    const first = await json(await idleRig.create(body, { 'x-stainless-retry-count': '0' }));
    const retry = await idleRig.create(body, { 'x-stainless-retry-count': '1' });
    expect(retry.headers.get('idempotent-replayed')).toBe('true');
    expect((await json(retry)).id).toBe(first.id);
    for (const count of ['0', 'x', '-1', '']) {
      const fresh = await json(await idleRig.create(body, { 'x-stainless-retry-count': count }));
      expect(fresh.id, count).not.toBe(first.id);
    }
    const other = await json(await idleRig.create({ prompt: 'another' }, { 'x-stainless-retry-count': '2' }));
    expect(other.id).not.toBe(first.id);
  });

  it('with Prefer: wait, responds when the video has ended', async () => {
    const response = await workerRig.create({ prompt: 'quick' }, { prefer: 'wait=30' });
    expect(response.headers.get('preference-applied')).toBe('wait=30');
    expect(response.headers.get('retry-after')).toBeNull();
    const video = VideoSchema.parse(await response.json());
    expect(video).toMatchObject({
      status: 'completed',
      progress: 100,
    });
    const link = video.metadata?.url ?? '';
    expect(link).toContain(`${workerRig.origin}/v1/videos/${video.id}/content?`);
    // Players and browsers send no API key.
    expect(await bytesOf(await fetch(link))).toContain('ftyp');
    expect(await bytesOf(await workerRig.call(new URL(link).pathname))).toContain('ftyp');
    for (const forged of [link.split('?', 1)[0] ?? '', link.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))]) {
      const refusal = await fetch(forged);
      expect(refusal.status).toBe(401);
      const isLink = forged.includes('signature');
      const error = isLink
        ? { code: 'invalid_link', message: expect.stringContaining('The link to this file has expired') as string }
        : { code: 'invalid_api_key' };
      expect(await refusal.json()).toMatchObject({ error });
    }
    await workerRig.call(`/v1/videos/${video.id}`, { method: 'DELETE' });
    expect((await fetch(link)).status).toBe(404);
  });

  it('with Prefer: wait, returns the unfinished task after the timeout', async () => {
    const response = await idleRig.create({ prompt: 'slow' }, { prefer: 'wait=1' });
    expect(await json(response)).toMatchObject({ status: 'queued' });
    expect(response.headers.get('retry-after')).not.toBeNull();
  });
});

describe('a stopping process', () => {
  it('returns the task as it is to waiting clients', async () => {
    const stop = new AbortController();
    const rig = await apiRig({ stopping: stop.signal });
    try {
      const waiting = rig.create({ prompt: 'slow' }, { prefer: 'wait=60' });
      await expect.poll(() => rig.taskIds()).toHaveLength(1);
      stop.abort();
      const response = await waiting;
      expect(response.status).toBe(200);
      expect(await json(response)).toMatchObject({ status: 'queued' });
    } finally {
      await rig.close();
    }
  });
});

describe('a text model', () => {
  it('is rejected for a video', async () => {
    const rig = await apiRig({
      config: {
        upstreams: { chat: { kind: 'chat-completions', base_url: 'http://vendor.test/v1', api_key: 'sk-vendor' } },
        models: [{ id: 'chat-model', routes: [{ upstream: 'chat', model: 'm' }] }],
      },
    });
    const response = await rig.create({ prompt: 'a kite', model: 'chat-model' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: 'model', code: 'invalid_request' } });
    expect(await rig.taskIds()).toEqual([]);
    await rig.close();
  });
});

describe('GET /v1/videos/{id}', () => {
  it('reports why a video failed, without a poll interval', async () => {
    const response = await workerRig.create({ prompt: 'refused' }, { prefer: 'wait=30' });
    const { id } = await json(response);
    const retrieved = await workerRig.call(`/v1/videos/${id}`);
    expect(await retrieved.json()).toMatchObject({
      status: 'failed',
      error: { code: 'content_policy', message: 'Not this.' },
    });
    expect(retrieved.headers.get('openai-poll-after-ms')).toBeNull();
    const content = await workerRig.call(`/v1/videos/${id}/content`);
    expect(content.status).toBe(404);
    expect(await content.json()).toMatchObject({ error: { code: 'video_not_ready' } });
  });

  it('returns 404 for the content until the video is completed', async () => {
    const id = await idleRig.createdId();
    const response = await idleRig.call(`/v1/videos/${id}/content`);
    expect(response.status).toBe(404);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toMatchObject({
      error: { code: 'video_not_ready', message: expect.stringContaining('0 %') },
    });
  });
});

it('links to a finished video start with the configured public URL', async () => {
  const rig = await apiRig({ publicUrl: 'https://videos.example/gateway/' });
  try {
    await rig.tasks.startWorker();
    const response = await rig.create({ prompt: 'linked' }, { prefer: 'wait=30' });
    const { id, metadata } = VideoSchema.parse(await response.json());
    const link = new URL(metadata?.url ?? '');
    expect(link.origin + link.pathname).toBe(`https://videos.example/gateway/v1/videos/${id}/content`);
    // The path that a proxy forwards after it has removed its own prefix.
    const behind = rig.origin + link.pathname.replace('/gateway', '') + link.search;
    expect((await fetch(behind)).status).toBe(200);
  } finally {
    await rig.close();
  }
});

describe('POST /v1/videos/{id}/cancel', () => {
  it('cancels a queued video permanently and idempotently', async () => {
    const id = await idleRig.createdId();
    for (let i = 0; i < 2; i++) {
      const response = await idleRig.call(`/v1/videos/${id}/cancel`, { method: 'POST' });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ id, status: 'failed', error: { code: 'canceled' } });
    }
    expect(await json(await idleRig.call(`/v1/videos/${id}`))).toMatchObject({ status: 'failed' });
  });

  it('returns a 409 that is not retryable if the video has already ended', async () => {
    const { id } = await json(await workerRig.create({ prompt: 'done' }, { prefer: 'wait=30' }));
    const response = await workerRig.call(`/v1/videos/${id}/cancel`, { method: 'POST' });
    expect(response.status).toBe(409);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toMatchObject({ error: { code: 'task_final' } });
  });
});

describe('DELETE /v1/videos/{id}', () => {
  it('removes a video at once, even before it is submitted', async () => {
    const rig = await apiRig();
    try {
      const id = await rig.createdId();
      const response = await rig.call(`/v1/videos/${id}`, { method: 'DELETE' });
      expect(await response.json()).toEqual({ id, object: 'video.deleted', deleted: true });
      for (const [method, at] of [
        ['GET', ''],
        ['GET', '/content'],
        ['DELETE', ''],
        ['POST', '/cancel'],
      ] as const) {
        expect((await rig.call(`/v1/videos/${id}${at}`, { method })).status).toBe(404);
      }
      await rig.tasks.startWorker();
      const { id: next } = await json(await rig.create({ prompt: 'the next' }, { prefer: 'wait=30' }));
      expect([...rig.tasks.vendor.submissions.keys()]).toEqual([next]);
    } finally {
      await rig.close();
    }
  });

  it('removes a finished video and its content', async () => {
    const { id } = await json(await workerRig.create({ prompt: 'to be deleted' }, { prefer: 'wait=30' }));
    expect((await workerRig.call(`/v1/videos/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await workerRig.call(`/v1/videos/${id}/content`)).status).toBe(404);
    await expect.poll(async () => (await workerRig.storedFiles()).filter((name) => name.includes(id))).toEqual([]);
  });
});
