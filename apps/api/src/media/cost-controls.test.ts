import { createLimiter } from '@sluice/limits';
import { CostEstimateSchema } from '@sluice/protocols';
import { openRedis, TINY_PNG } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

const POOR = 'sk-poor-key';
const routes = [{ upstream: 'vendor', model: 'model-1' }];
const price = { request: 0.01, video_second: 0.1, image: 0.04 };

let rig: ApiRig;
let redis: Redis;
beforeAll(async () => {
  rig = await apiRig({
    images: true,
    config: {
      keys: [
        { name: 'alice', key: KEYS.alice },
        { name: 'poor', key: POOR, budget: { usd: 1, period: 'day' } },
      ],
      models: [
        { id: 'priced', routes, price },
        { id: 'priced-image', routes: [{ upstream: 'vendor', model: 'qwen-image-plus' }], price },
        { id: 'strict', routes, price, strict: true },
      ],
    },
  });
  redis = openRedis(rig.tasks.redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await rig.close();
});

interface Reply {
  status: number;
  headers: Headers;
  body: unknown;
}

async function post(at: string, body: object | FormData, key = KEYS.alice): Promise<Reply> {
  const isForm = body instanceof FormData;
  const response = await rig.call(at, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(!isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function formWith(file: Uint8Array): FormData {
  const body = new FormData();
  body.append('prompt', 'a');
  body.append('model', 'priced');
  body.append('input_reference', new Blob([Buffer.from(file)]), 'a.png');
  return body;
}

const keysInRedis = () => redis.keys(`{${rig.tasks.prefix}}:*`);
const spending = () => createLimiter(redis, { prefix: rig.tasks.prefix }).spending('poor');

describe('a dry run', () => {
  it('returns the cost, its parts, and its source, and records nothing', async () => {
    const before = (await keysInRedis()).toSorted();
    const { status, body } = await post('/v1/videos?dry_run=true', { prompt: 'a', model: 'priced', seconds: '5' });
    expect(status).toBe(200);
    expect(CostEstimateSchema.strict().parse(body)).toEqual({
      object: 'cost_estimate',
      model: 'priced',
      upstream: 'vendor',
      upstream_model: 'model-1',
      cost_usd: 0.51,
      lines: [
        { unit: 'video_seconds', quantity: 5, cost_usd: 0.5 },
        { unit: 'requests', quantity: 1, cost_usd: 0.01 },
      ],
      price_source: { from: 'config' },
      exceeds: [],
    });
    expect((await keysInRedis()).toSorted()).toEqual(before);
    expect(await rig.taskIds()).toEqual([]);
  });

  it.each([
    ['/v1/video/generations', { prompt: 'a', model: 'priced', duration: 2 }, 0.21],
    ['/kling/v1/videos/text2video', { prompt: 'a', model_name: 'priced', duration: '2' }, 0.21],
    ['/jimeng/?Action=CVSync2AsyncSubmitTask&Version=1', { prompt: 'a', req_key: 'priced', frames: 49 }, 0.21],
    ['/v1/images/generations', { prompt: 'a', model: 'priced-image', n: 3 }, 0.13],
    ['/v1/images/generations', { model: 'priced-image', input: { messages: [{ content: [{ text: 'a' }] }] } }, 0.05],
  ])('works at %s', async (at, fields, cost) => {
    const { status, body } = await post(`${at}${at.includes('?') ? '&' : '?'}dry_run=true`, fields);
    expect({ status, body }).toMatchObject({ status: 200, body: { object: 'cost_estimate', cost_usd: cost } });
  });

  it('stores no file, and checks it', async () => {
    const estimate = await post('/v1/videos?dry_run=true', formWith(TINY_PNG));
    expect(estimate).toMatchObject({ status: 200, body: { object: 'cost_estimate' } });
    const invalid = await post('/v1/videos?dry_run=true', formWith(Buffer.from('no image')));
    expect(invalid).toMatchObject({ status: 400, body: { error: { param: 'input_reference' } } });
    expect(await rig.storedFiles()).toEqual([]);
  });

  it('says that the price is unknown', async () => {
    const { body } = await post('/v1/videos?dry_run=true', { prompt: 'a', model: 'video' });
    expect(CostEstimateSchema.strict().parse(body)).toEqual({
      object: 'cost_estimate',
      model: 'video',
      upstream: 'vendor',
      upstream_model: 'model-1',
      cost_usd: null,
      unpriced: true,
      lines: [],
      exceeds: [],
    });
  });

  it('shows the budget and whether it covers the task', async () => {
    const fields = { prompt: 'a', model: 'priced', seconds: '8' };
    const one = await post('/v1/videos?dry_run=true', fields, POOR);
    expect(one.body).toMatchObject({
      reserved_usd: 0.81,
      budget: { limit_usd: 1, period: 'day', spent_usd: 0, reserved_usd: 0, remaining_usd: 1 },
      exceeds: [],
    });
    expect((await post('/v1/videos', fields, POOR)).status).toBe(200);
    const { reserved } = await spending();
    const two = await post('/v1/videos?dry_run=true', fields, POOR);
    expect(two).toMatchObject({ status: 200, body: { budget: { remaining_usd: 0.19 }, exceeds: ['budget'] } });
    expect(await post('/v1/videos', fields, POOR)).toMatchObject({
      status: 429,
      body: { error: { code: 'insufficient_quota' } },
    });
    expect((await spending()).reserved).toBe(reserved);
  });

  it('reports the fields that the upstream does not receive, and refuses what a creation refuses', async () => {
    const dropped = await post('/v1/videos?dry_run=true', {
      prompt: 'a',
      model: 'priced',
      notify_url: 'https://x.test',
    });
    expect(dropped.headers.get('x-sluice-dropped')).toBe('notify_url');
    for (const [fields, param] of [
      [{ prompt: 'a', model: 'none' }, 'model'],
      [{ model: 'priced' }, 'prompt'],
      [{ prompt: 'a', model: 'strict', notify_url: 'https://x.test' }, 'notify_url'],
    ] as const) {
      const { status, body } = await post('/v1/videos?dry_run=true', fields);
      expect({ status: Math.floor(status / 100), body }).toMatchObject({ status: 4, body: { error: { param } } });
    }
  });

  it.each(['1', '', 'yes', 'true&dry_run=false'])('rejects dry_run=%s', async (value) => {
    const at = `/v1/videos?dry_run=${value}`;
    expect(await post(at, { prompt: 'a' })).toMatchObject({ status: 400, body: { error: { param: 'dry_run' } } });
  });

  it('creates the task if dry_run is false', async () => {
    const { body } = await post('/v1/videos?dry_run=false', { prompt: 'a' });
    expect(body).toMatchObject({ object: 'video', status: 'queued' });
  });
});

describe('max_cost_usd', () => {
  const priced = { prompt: 'a', model: 'priced', seconds: '8' };

  it.each([0.81, '0.81', 5, null, ''])('admits a task that costs at most %j', async (max) => {
    const { status, headers, body } = await post('/v1/videos', { ...priced, max_cost_usd: max });
    expect({ status, body }).toMatchObject({ status: 200, body: { object: 'video' } });
    expect(headers.get('x-sluice-dropped')).toBeNull();
    const { id } = body as { id: string }; // The cast is safe because the response is a video.
    expect(await redis.get(`{${rig.tasks.prefix}}:request:${id}`)).not.toContain('max_cost');
  });

  it.each([
    ['/v1/videos', priced],
    ['/v1/video/generations', priced],
    ['/kling/v1/videos/text2video', { prompt: 'a', model_name: 'priced', duration: '8' }],
    ['/v1/images/generations', { prompt: 'a', model: 'priced-image', n: 10 }],
  ])('refuses a task that costs more: %s', async (at, fields) => {
    const { status, body } = await post(at, { ...fields, max_cost_usd: 0.4 });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(/may cost \$0\.\d1, but max_cost_usd allows \$0\.40\. Raise it, or send/);
  });

  it('refuses a task with an unknown cost', async () => {
    expect(await post('/v1/videos', { prompt: 'a', model: 'video', max_cost_usd: 100 })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param: 'max_cost_usd', message: expect.stringContaining('`video`') } },
    });
  });

  it('is read from a form', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...priced, max_cost_usd: '0.5' })) body.append(name, value);
    expect(await post('/v1/videos', body)).toMatchObject({ status: 400, body: { error: { param: 'max_cost_usd' } } });
  });

  it('is only reported by a dry run', async () => {
    expect(await post('/v1/videos?dry_run=true', { ...priced, max_cost_usd: 0.5 })).toMatchObject({
      status: 200,
      body: { cost_usd: 0.81, exceeds: ['max_cost_usd'] },
    });
  });

  it.each([-1, 'much', true, [1], { usd: 1 }, '1e3', 1e12])('rejects %j', async (max) => {
    for (const at of ['/v1/videos', '/v1/videos?dry_run=true']) {
      const { status, body } = await post(at, { ...priced, max_cost_usd: max });
      expect({ status, body }).toMatchObject({ status: 400, body: { error: { param: 'max_cost_usd' } } });
    }
  });
});
