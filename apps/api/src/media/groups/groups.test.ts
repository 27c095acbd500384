import { openRedis, TINY_PNG } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../../test/api-rig.ts';
import { startGroups } from '../../../test/groups/start-groups.ts';

const POOR = 'sk-poor-key';
const LONG = { timeout: 60_000 };
const routes = [{ upstream: 'vendor', model: 'model-1' }];
const price = { video_second: 0.1 };
let rig: ApiRig;
beforeAll(async () => {
  const keys = [
    { name: 'alice', key: KEYS.alice },
    { name: 'bob', key: KEYS.bob },
    { name: 'carol', key: KEYS.carol, models: ['video'] },
    { name: 'poor', key: POOR, budget: { usd: 1, period: 'day' } },
  ];
  const models = [
    { id: 'priced', routes, price, default_seconds: '5' },
    { id: 'free', routes, price: { video_second: 0 } },
  ];
  rig = await apiRig({
    config: { keys, models },
    script: {
      submit: ({ request }) =>
        request.prompt?.includes('fail')
          ? { kind: 'rejected', code: 'content_policy', message: 'The prompt was refused.' }
          : undefined,
    },
  });
});
afterAll(() => rig.close());

interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function send(method: string, at: string, body?: object, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await rig.call(`/v1/videos/batch${at}`, {
    method,
    headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  // The cast is safe because the API returns objects.
  return { status: response.status, headers: response.headers, body: (await response.json()) as Reply['body'] };
}
const create = (body: object, headers: Record<string, string> = {}) => send('POST', '', body, headers);
const as = (key: string) => ({ authorization: `Bearer ${key}` });

async function fileIds(): Promise<string[]> {
  const page = await (await rig.call('/v1/files', { headers: as(KEYS.alice) })).json();
  return (page as { data: { id: string }[] }).data.map(({ id }) => id); // Every list of files has this format.
}

describe('POST /v1/videos/batch', () => {
  it('combines prompts, models, and seeds, and adds complete requests', async () => {
    const requests = [{ prompt: 'c', seconds: '8', model: 'free' }];
    const { status, body } = await create({ prompts: ['a', 'b'], models: ['priced', 'free'], seeds: [1, 2], requests });
    expect([status, body['object'], body['status']]).toEqual([200, 'video.group', 'in_progress']);
    expect(body).toMatchObject({ counts: { total: 9, pending: 9 }, estimated_cost_usd: 2, cost_usd: 0 });
    const page = (await send('GET', `/${String(body['id'])}?limit=2&after=6`)).body;
    expect(page).toMatchObject({
      videos: {
        data: [
          { index: 7, state: 'pending', fields: { prompt: 'b', model: 'free', seed: 2 }, video: null },
          { index: 8, state: 'pending', fields: requests[0] },
        ],
        has_more: false,
      },
    });
    expect((await send('POST', `/${String(body['id'])}/cancel`)).body).toMatchObject({ status: 'cancelled' });
  });

  it('names each invalid video by its index, and creates nothing', async () => {
    const before = await rig.taskIds();
    const { status, body } = await create({
      seconds: '4',
      requests: [{ prompt: 'a' }, { prompt: ' ' }, { prompt: 'a', model: 'none' }, { prompt: 'a', seconds: 'x' }],
    });
    expect([status, body['error']]).toEqual([
      400,
      {
        type: 'invalid_request_error',
        code: 'invalid_request',
        param: 'requests[1][prompt]',
        message: expect.stringMatching(/^Video 1: prompt .+ Video 2: Model `none` .+ Video 3: seconds /),
      },
    ]);
    const swept = await create({ prompts: ['a'], models: ['video', 'none'] });
    expect([swept.status, swept.body['error']]).toMatchObject([
      404,
      { param: 'models', message: expect.stringContaining('Video 1:') },
    ]);
    expect(await rig.taskIds()).toEqual(before);
    expect((await create({ prompts: ['a'], model: 'clip' }, as(KEYS.carol))).status).toBe(403);
  });

  it('estimates the cost in a dry run, and stores nothing', async () => {
    const estimate = async (body: object, key = KEYS.alice) =>
      (await send('POST', '?dry_run=true', body, as(key))).body;
    const sweep = { prompts: ['a', 'b', 'c', 'd'], model: 'priced' };
    expect(await estimate(sweep)).toEqual({
      object: 'video.group.estimate',
      videos: 4,
      cost_usd: 2,
      exceeds: [],
    });
    expect(await estimate({ ...sweep, max_cost_usd: 1.99 }, POOR)).toMatchObject({
      remaining_budget_usd: 1,
      exceeds: ['budget', 'max_cost_usd'],
    });
    expect(await estimate({ prompts: ['a'], model: 'video', max_cost_usd: 1 })).toMatchObject({
      cost_usd: null,
      exceeds: ['max_cost_usd'],
    });
    expect((await send('GET', '', undefined, as(POOR))).body).toMatchObject({ data: [] });
  });

  it('refuses a group that may cost more than its maximum or the budget of the key', async () => {
    const sweep = { prompts: ['a', 'b', 'c'], model: 'priced' };
    expect((await create({ ...sweep, max_cost_usd: 1.4 })).body).toMatchObject({
      error: {
        param: 'max_cost_usd',
        message: expect.stringContaining('may cost $1.50, but max_cost_usd allows $1.40'),
      },
    });
    expect((await create({ prompts: ['a'], model: 'video', max_cost_usd: 9 })).body).toMatchObject({
      error: { message: expect.stringContaining('is unknown') },
    });
    const refused = await create(sweep, as(POOR));
    expect([refused.status, refused.body]).toMatchObject([429, { error: { code: 'insufficient_quota' } }]);
  });

  it('returns the group of an earlier request with the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'sweep-1' };
    const first = await create({ prompts: ['a'], model: 'free' }, headers);
    const again = await create({ prompts: ['a'], model: 'free' }, headers);
    expect(again.body['id']).toBe(first.body['id']);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await create({ prompts: ['b'], model: 'free' }, headers)).status).toBe(422);
    expect((await send('POST', `/${String(first.body['id'])}/cancel`)).status).toBe(200);
  });
});

it('stores an image that several videos share once, as a file', async () => {
  const image = `data:image/png;base64,${Buffer.from(TINY_PNG).toString('base64')}`;
  const requests = [{ prompt: 'c', input_reference: { image_url: image } }];
  const body = { prompts: ['a', 'b'], model: 'free', input_reference: { image_url: image }, requests };
  const before = await fileIds();
  expect((await send('POST', '?dry_run=true', body)).body).toMatchObject({ videos: 3 });
  expect((await create({ ...body, model: 'none' })).status).toBe(404);
  const text = `data:image/png;base64,${Buffer.from('this is no image').toString('base64')}`;
  expect((await create({ prompts: ['a'], requests: [{ image }, { image: text }] })).body).toMatchObject({
    error: { code: 'invalid_request', param: 'requests[1][image]' },
  });
  expect(await fileIds()).toEqual(before);

  const headers = { 'idempotency-key': 'image-1' };
  const { body: group } = await create(body, headers);
  expect((await create(body, headers)).body['id']).toBe(group['id']);
  const [file, ...others] = (await fileIds()).filter((id) => !before.includes(id));
  expect(others).toEqual([]);
  const at = `/${String(group['id'])}`;
  expect((await send('GET', at)).body).toMatchObject({
    videos: { data: { 2: { fields: { input_reference: { file_id: file } } } } },
  });
  expect((await send('POST', `${at}/cancel`)).status).toBe(200);
});

it(
  'creates the videos of a group, which share one image, returns partial results, and sends one event',
  LONG,
  async () => {
    await rig.call('/v1/webhooks', {
      method: 'POST',
      headers: { ...as(KEYS.alice), 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://client.test/hook', events: ['group.completed'] }),
    });
    const workers = [startGroups(rig), startGroups(rig)];
    await rig.tasks.startWorker();
    const requests = [{ prompt: 'fail' }];
    const options = { user: 'ana', labels: { project: 'kites' }, priority: 7 };
    const image = { image_url: `data:image/png;base64,${Buffer.from(TINY_PNG).toString('base64')}` };
    const shared = { model: 'priced', max_cost_usd: 3, input_reference: image, ...options };
    const { body } = await create({ prompts: ['a', 'b', 'c'], requests, ...shared });
    const id = String(body['id']);
    const read = async () => (await send('GET', `/${id}`)).body;
    await expect.poll(read, LONG).toMatchObject({ status: 'completed' });
    const group = await read();
    expect(group).toMatchObject({
      counts: { total: 4, completed: 3, failed: 1 },
      max_cost_usd: 3,
      expires_at: expect.any(Number),
    });
    const inputs = (await rig.storedFiles()).filter((name) => name.includes('/inputs/'));
    expect(inputs).toHaveLength(1);
    // The vendor reports videos of four seconds.
    expect(group['cost_usd']).toBeCloseTo(1.2);
    expect(group).toMatchObject({
      videos: {
        data: [
          {
            state: 'completed',
            video: { object: 'video', status: 'completed', metadata: { url: expect.any(String) }, ...options },
          },
          { state: 'completed' },
          { state: 'completed' },
          { state: 'failed', error: { code: 'content_policy' }, video: { status: 'failed' } },
        ],
      },
    });
    const redis = openRedis(rig.tasks.redisUrl);
    const outbox = await redis.lrange(`{${rig.config.redis.prefix}}:webhooks:outbox`, 0, -1);
    expect(
      outbox.map((entry): unknown => JSON.parse(entry)).filter((entry) => JSON.stringify(entry).includes('group')),
    ).toEqual([{ event: 'group.completed', task: id, owner: 'alice', at: expect.any(Number) }]);
    redis.disconnect();

    expect((await send('POST', `/${id}/retry`, {})).body).toMatchObject({ counts: { completed: 3, pending: 1 } });
    await expect.poll(read, LONG).toMatchObject({ status: 'completed', counts: { completed: 3, failed: 1 } });
    expect(await read()).toMatchObject({
      videos: { data: { 3: { retries: 1, previous_video_ids: [expect.any(String)] } } },
    });
    expect((await send('POST', `/${id}/cancel`)).status).toBe(409);
    expect((await send('DELETE', `/${id}`)).body).toEqual({ id, object: 'video.group.deleted', deleted: true });
    expect((await send('GET', `/${id}`)).status).toBe(404);
    await Promise.all(workers.map((worker) => worker.close(1_000)));
  },
);

it('shadows no path of a video', async () => {
  expect((await rig.call('/v1/videos/batch')).status).toBe(200);
  expect((await rig.call('/v1/videos/batch/content')).status).toBe(404);
  const ids = (await send('GET', '?limit=1')).body;
  expect(ids).toMatchObject({ object: 'list', has_more: true });
  const next = (await send('GET', `?limit=1&after=${String(ids['last_id'])}`)).body;
  expect(next['first_id']).not.toBe(ids['first_id']);
});
