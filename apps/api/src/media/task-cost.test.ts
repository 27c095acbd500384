import { openRedis, TINY_PNG } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';

const price = { video_second: 0.1, image: 0.04 };
const routes = [{ upstream: 'vendor', model: 'model-1' }];

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig({
    images: true,
    script: {
      poll: (job, count) =>
        count < 2 || job.taskId.startsWith('image_') ? undefined : { kind: 'succeeded', seconds: '5', size: '2x2' },
      content: ({ taskId }) =>
        taskId.startsWith('image_') ? { kind: 'opened', body: once(TINY_PNG), bytes: TINY_PNG.byteLength } : undefined,
    },
    config: {
      models: [
        { id: 'priced', routes, price },
        { id: 'priced-image', routes: [{ upstream: 'vendor', model: 'qwen-image-plus' }], price },
      ],
    },
  });
  await rig.tasks.startWorker();
});
afterAll(() => rig.close());

async function post(at: string, fields: object): Promise<{ id: string; cost_usd?: number; unpriced?: true }> {
  const headers = { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'application/json', prefer: 'wait=20' };
  const response = await rig.call(at, { method: 'POST', headers, body: JSON.stringify(fields) });
  // The cast is safe because the response is a finished task.
  return (await response.json()) as { id: string };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const get = async (at: string): Promise<unknown> => (await rig.call(at)).json();

describe("a finished task's cost", () => {
  it('is in each view of a video, and in the final event only', async () => {
    const { id, ...video } = await post('/v1/videos', { prompt: 'a', model: 'priced' });
    expect(video).toMatchObject({ status: 'completed', cost_usd: 0.5 });
    expect(await get(`/v1/videos/${id}`)).toMatchObject({ cost_usd: 0.5 });
    expect(await get('/v1/videos')).toMatchObject({ data: [{ id, cost_usd: 0.5 }] });
    expect(await get(`/v1/video/generations/${id}`)).toMatchObject({ cost_usd: 0.5 });
    expect(await get(`/kling/v1/videos/text2video/${id}`)).toMatchObject({ cost_usd: 0.5 });
    const jimeng = await rig.call('/jimeng/?Action=CVSync2AsyncGetResult&Version=1', {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'application/json' },
      body: JSON.stringify({ task_id: id }),
    });
    expect(await jimeng.json()).toMatchObject({ data: { status: 'done', cost_usd: 0.5 } });
    expect((await rig.admin('GET', `tasks/${id}`)).body).toMatchObject({ cost_usd: 0.5 });

    const events = (await (await rig.call(`/v1/videos/${id}/events`)).text()).match(/^data: .+$/gm) ?? [];
    const isPriced = events.map((event) => event.includes('"cost_usd":0.5'));
    expect(events.length).toBeGreaterThan(1);
    expect(isPriced).toEqual(events.map((_, index) => index === events.length - 1));
  });

  it('is in the response to an image request', async () => {
    const images = await post('/v1/images/generations', { prompt: 'a', model: 'priced-image' });
    expect(images).toMatchObject({ data: [expect.anything()], cost_usd: 0.04 });
  });

  it('is unpriced if the price is unknown', async () => {
    const { id, ...video } = await post('/v1/videos', { prompt: 'a', model: 'video' });
    expect(video).toMatchObject({ status: 'completed', unpriced: true });
    expect(video).not.toHaveProperty('cost_usd');
    expect((await rig.admin('GET', `tasks/${id}`)).body).toMatchObject({ unpriced: true });
  });

  it("is the cost of the task's ledger entry, which names the request", async () => {
    const headers = { authorization: `Bearer ${KEYS.alice}`, 'x-request-id': 'req_of_the_test', prefer: 'wait=20' };
    const form = new FormData();
    for (const [name, value] of [
      ['prompt', 'a'],
      ['model', 'priced'],
    ] as const)
      form.append(name, value);
    const response = await rig.call('/v1/videos', { method: 'POST', headers, body: form });
    const { id } = (await response.json()) as { id: string }; // The cast is safe because the response is a video.
    const redis = openRedis(rig.tasks.redisUrl);
    const stream = await redis.xrange(`{${rig.tasks.prefix}}:ledger`, '-', '+');
    redis.disconnect();
    const entries = stream.map(([, [, entry = '']]) => JSON.parse(entry) as { id: string });
    expect(entries.find((entry) => entry.id === id)).toMatchObject({
      type: 'task',
      requestId: 'req_of_the_test',
      endpoint: 'POST /v1/videos',
      protocol: 'videos',
      key: 'alice',
      model: 'priced',
      costNanos: 0.5e9,
      lines: [{ unit: 'video_seconds', quantity: 5, nanos: 0.5e9 }],
      priceSource: { from: 'config' },
    });
  });
});
