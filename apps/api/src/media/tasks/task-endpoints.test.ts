import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { adminAuth, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { KEYS } from '../../../test/api-rig.ts';
import { TaskDetailsSchema, TaskPageSchema, TaskSchema } from './task-response.ts';

let rig: AdminRig;
beforeEach(async () => {
  rig = await adminRig({ images: true, config: { webhooks: { allow: ['http://hooks.test'] } } });
});
afterEach(() => rig.close());

const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const admin = { headers: adminAuth };

async function page(query = '', init: RequestInit = as(KEYS.alice)): Promise<z.output<typeof TaskPageSchema>> {
  return TaskPageSchema.strict().parse(await (await rig.call(`/v1/tasks${query}`, init)).json());
}

async function details(id: string, query = '', init: RequestInit = as(KEYS.alice)) {
  return TaskDetailsSchema.strict().parse(await (await rig.call(`/v1/tasks/${id}${query}`, init)).json());
}

async function createImage(): Promise<string> {
  const response = await rig.call('/v1/images/generations', {
    method: 'POST',
    headers: { ...as(KEYS.alice).headers, 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ model: 'image', prompt: 'a poster' }),
  });
  // The cast is safe because an asynchronous response has the task's id.
  return ((await response.json()) as { id: string }).id;
}

const completed = (id: string) => expect.poll(async () => (await details(id)).status).toBe('completed');

describe('GET /v1/tasks', () => {
  it('lists videos and images of the key together, newest first, page by page', async () => {
    const created: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      created.push(await rig.createdId({ prompt: `kite ${round}` }), await createImage());
    }
    await rig.create({ prompt: 'not mine' }, {}, KEYS.bob);
    const ids: string[] = [];
    for (let after = ''; ;) {
      const { data, next } = await page(`?limit=2${after}`);
      ids.push(...data.map(({ id }) => id));
      if (next === undefined) break;
      after = `&after=${next}`;
    }
    expect(ids).toEqual(created.toReversed());
    expect((await page('?kind=image')).data.map(({ kind }) => kind)).toEqual(['image', 'image', 'image']);
    expect((await page('?model=clip')).data).toEqual([]);
  });

  it('has prompts only if requested, and only their beginning', async () => {
    await rig.createdId({ prompt: 'k'.repeat(900) });
    expect((await page()).data[0]).not.toHaveProperty('prompt');
    const prompt = (await page('?prompt=true')).data[0]?.prompt ?? '';
    expect(prompt).toMatch(/^k+…?$/);
    expect(prompt.length).toBeLessThanOrEqual(300);
  });

  it('lists the tasks of all keys for the admin key, and filters by key and state', async () => {
    const alice = await rig.createdId();
    await rig.create({ prompt: 'mine' }, {}, KEYS.bob);
    const all = (await page('', admin)).data;
    expect(all.map(({ key }) => key)).toEqual(['bob', 'alice']);
    expect((await page('?limit=1', admin)).data.map(({ key }) => key)).toEqual(['bob']);
    const next = (await page('?limit=1', admin)).next ?? '';
    expect((await page(`?limit=1&after=${next}`, admin)).data.map(({ key }) => key)).toEqual(['alice']);
    expect((await page('?key=alice', admin)).data.map(({ id }) => id)).toEqual([alice]);
    await rig.call(`/v1/tasks/${alice}/cancel`, { method: 'POST', ...as(KEYS.alice) });
    expect((await page('?status=canceled', admin)).data.map(({ id }) => id)).toEqual([alice]);
    expect((await page('?status=open', admin)).data.map(({ key }) => key)).toEqual(['bob']);
    expect((await page('?status=open')).data).toEqual([]);
  });

  it('omits deleted tasks', async () => {
    const id = await rig.createdId();
    await rig.call(`/v1/videos/${id}`, { method: 'DELETE', ...as(KEYS.alice) });
    expect((await page()).data).toEqual([]);
    expect((await page('', admin)).data).toEqual([]);
  });
});

describe('GET /v1/tasks/{id}', () => {
  it('returns the timeline, the parameters, the files, and the deliveries', async () => {
    const hook = JSON.stringify({ url: 'http://hooks.test/' });
    const headers = { ...as(KEYS.alice).headers, 'content-type': 'application/json' };
    await rig.call('/v1/webhooks', { method: 'POST', headers, body: hook });
    await rig.tasks.startWorker();
    const id = await rig.createdId({ prompt: 'a secret kite', seconds: '4' });
    await completed(id);
    const task = await details(id);
    expect(task).toMatchObject({ id, key: 'alice', kind: 'video', model: 'video', attempt: 1, deliveries: [] });
    expect(task.files).toMatchObject([{ index: 0, media_type: 'video/mp4', bytes: expect.any(Number) }]);
    expect(task.timeline.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['accepted', 'dispatched', 'submission', 'poll', 'download']),
    );
    expect(JSON.stringify(task)).not.toContain('secret');
    expect(JSON.stringify(task)).not.toContain('upstream_job_id');
    expect(await details(id, '?prompt=true')).toMatchObject({ prompt: 'a secret kite', request: { seconds: '4' } });
    const file = await rig.call(`/v1/tasks/${id}/content/0`, as(KEYS.alice));
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect((await file.arrayBuffer()).byteLength).toBe(task.files[0]?.bytes);
    expect((await rig.call(`/v1/tasks/${id}/content/0`, admin)).status).toBe(200);
    expect((await rig.call(`/v1/tasks/${id}/content/1`, admin)).status).toBe(404);
  });

  it('has the operator and the note only for the admin key', async () => {
    const id = await rig.createdId();
    await rig.admin('POST', `tasks/${id}/fail`, { reason: 'The vendor lost it.', operator: 'ana', note: 'ticket 7' });
    const mine = await details(id);
    expect(mine.timeline.at(-1)).toMatchObject({ what: 'end', status: 'failed', reason: 'The vendor lost it.' });
    expect(JSON.stringify(mine)).not.toMatch(/ana|ticket/);
    expect((await details(id, '', admin)).timeline.at(-1)).toMatchObject({ what: 'operator', by: 'ana' });
  });
});

describe('a task of another key', () => {
  it('does not exist', async () => {
    const id = await rig.createdId();
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/content/0'],
      ['POST', '/cancel'],
    ] as const) {
      const refused = await rig.call(`/v1/tasks/${id}${path}`, { method, ...as(KEYS.bob) });
      expect([path, refused.status]).toEqual([path, 404]);
    }
    expect((await page('', as(KEYS.bob))).data).toEqual([]);
    expect((await details(id)).status).toBe('queued');
  });
});

describe('POST /v1/tasks/{id}/cancel', () => {
  it('cancels images, too', async () => {
    const id = await createImage();
    const response = await rig.call(`/v1/tasks/${id}/cancel`, { method: 'POST', ...as(KEYS.alice) });
    expect(TaskSchema.parse(await response.json())).toMatchObject({ id, status: 'canceled' });
  });

  it('refuses the admin key', async () => {
    const id = await rig.createdId();
    const response = await rig.call(`/v1/tasks/${id}/cancel`, { method: 'POST', ...admin });
    expect(response.status).toBe(403);
  });
});

function post(path: string, body: unknown, key = KEYS.alice): Promise<Response> {
  return rig.call(`/v1/tasks/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

describe('the queue of a key', () => {
  it('is paused and resumed for this key alone', async () => {
    expect(await (await post('queue', { paused: true })).json()).toEqual({
      object: 'task_queue',
      key: 'alice',
      paused: true,
    });
    const paused = async (key: string) => (await rig.call('/v1/tasks/queue', as(key))).json();
    expect([await paused(KEYS.alice), await paused(KEYS.bob)]).toMatchObject([{ paused: true }, { paused: false }]);

    const id = await rig.createdId();
    const changed = await post(id, { paused: true, priority: 9 });
    expect(TaskSchema.parse(await changed.json())).toMatchObject({
      id,
      status: 'queued',
      paused: true,
      priority: 9,
      queue_paused: true,
    });
    expect(await details(id)).toMatchObject({ queue_paused: true });
    const { data } = TaskPageSchema.parse(await (await rig.call('/v1/tasks?limit=100', admin)).json());
    expect(data.filter((one) => one.queue_paused).map((one) => one.id)).toEqual([id]);
    expect(await (await rig.call(`/v1/videos/${id}`)).json()).toMatchObject({ paused: true, priority: 9 });
    expect((await post(id, { paused: true }, KEYS.bob)).status).toBe(404);
    expect((await details(id)).timeline.at(-1)).toMatchObject({ what: 'queue', outcome: 'paused' });

    expect((await post(id, { paused: false })).status).toBe(200);
    expect(await (await rig.call(`/v1/videos/${id}`)).json()).not.toHaveProperty('paused');
    await post('queue', { paused: false });
    expect(await details(id)).not.toHaveProperty('queue_paused');
    expect((await post(id, { priority: 1 })).status).toBe(409);
  });

  it('is refused to the admin key', async () => {
    expect((await rig.call('/v1/tasks/queue', admin)).status).toBe(403);
  });
});
