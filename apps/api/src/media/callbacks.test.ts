import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

/** Without workers, so that every task stays queued. */
let rig: ApiRig;
let namedOrigin: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ images: true, config: { webhooks: { allow: ['http://hooks.internal:9000'] } } });
  namedOrigin = await apiRig({ publicUrl: 'https://gateway.test/' });
});
afterAll(() => Promise.all([rig.close(), namedOrigin.close()]));

async function post(at: string, body: object, to = rig): Promise<{ response: Response; id: string }> {
  const response = await to.call(at, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEYS.alice}`,
      'content-type': 'application/json',
      prefer: 'respond-async',
    },
    body: JSON.stringify(body),
  });
  // The name of the id field depends on the protocol.
  const created = (await response.clone().json()) as { id?: string; task_id?: string };
  return { response, id: created.id ?? created.task_id ?? '' };
}

const WAYS: [at: string, body: object, shape: string][] = [
  ['/v1/videos', { model: 'video', prompt: 'a' }, 'event'],
  ['/v1/video/generations', { model: 'video', prompt: 'a' }, 'event'],
  ['/kling/v1/videos/text2video', { model_name: 'video', prompt: 'a' }, 'provider-a'],
  ['/provider-a/v1/videos/image2video', { model_name: 'video', image: 'https://pics.test/a.png' }, 'provider-a'],
  ['/v1/images/generations', { model: 'image', prompt: 'a' }, 'event'],
];

/** URLs that are not allowed as callbacks. */
const REFUSED = [
  'http://client.test/done',
  'http://hooks.internal:9001/',
  'https://u:p@client.test/',
  'done',
  'https://169.254.169.254/latest',
  'https://0x7f.1/done',
  'https://[::ffff:10.0.0.1]/done',
  'https://localhost:8443/done',
];

describe.each(WAYS)('a callback requested at %s', (at, body, shape) => {
  it('is stored with the task and sent to no upstream', async () => {
    for (const url of ['https://client.test/done?x=1', 'http://hooks.internal:9000/done']) {
      const { response, id } = await post(at, { ...body, callback_url: url });
      expect([response.ok, response.headers.get('x-sluice-dropped')]).toEqual([true, null]);
      const task = await rig.tasks.engine.find('alice', id);
      expect(task).toMatchObject({ callback: { url, shape }, origin: rig.origin });
      expect(await response.text()).not.toContain('/done');
    }
  });

  it.each(REFUSED)('is rejected before anything is recorded if its URL is forbidden: %s', async (url) => {
    const before = await rig.taskIds();
    const { response } = await post(at, { ...body, callback_url: url });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: 'callback_url', code: 'invalid_request' } });
    expect(await rig.taskIds()).toEqual(before);
  });
});

it('strict mode allows a callback', async () => {
  const strict = await apiRig({
    config: { models: [{ id: 'strict', strict: true, routes: [{ upstream: 'vendor', model: 'model-1' }] }] },
  });
  const { response } = await post(
    '/v1/videos',
    { model: 'strict', prompt: 'a', callback_url: 'https://c.test/' },
    strict,
  );
  expect(response.status).toBe(200);
  await strict.close();
});

it('a task stores the origin of its request only if no public URL is configured', async () => {
  const { id } = await post('/v1/videos', { model: 'video', prompt: 'a' }, namedOrigin);
  expect(await namedOrigin.tasks.engine.find('alice', id)).not.toHaveProperty('origin', expect.anything());
});
