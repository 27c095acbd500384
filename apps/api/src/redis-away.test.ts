import { createTaskEngine, type TaskEngine } from '@sluice/tasks';
import { createLogger } from '@sluice/telemetry';
import { fastTaskSettings, testRedis } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../test/api-rig.ts';
import { PNG } from '../test/raw-http.ts';
import { type PausableRedis, startPausableRedis } from '../test/pausable-redis.ts';

let proxy: PausableRedis;
let engine: TaskEngine;
let rig: ApiRig;

beforeEach(async () => {
  const { redisUrl, prefix } = testRedis();
  proxy = await startPausableRedis(redisUrl);
  engine = await createTaskEngine({
    redis: { url: proxy.url },
    prefix,
    accounts: { vendor: { maxSubmitting: 16 } },
    settings: fastTaskSettings(),
    commandTimeoutMs: 300,
    logger: createLogger({ level: 'silent', name: 'test' }),
  });
  rig = await apiRig({ engine });
});
afterEach(async () => {
  await rig.close();
  await engine.close();
  await proxy.cut();
});

function upload(): Promise<Response> {
  const form = new FormData();
  form.set('input_reference', new Blob([PNG]), 'a.png');
  form.set('prompt', 'a kite');
  return rig.call('/v1/videos', { method: 'POST', body: form });
}

describe('while Redis is down', () => {
  beforeEach(async () => {
    await proxy.cut();
    await expect.poll(() => engine.ready()).toBe(false);
  });

  it.each([
    ['GET', '/v1/videos'],
    ['GET', '/v1/videos/video_01hzzzzzzz0123456789abcdef'],
    ['GET', '/v1/videos/video_01hzzzzzzz0123456789abcdef/content'],
    ['DELETE', '/v1/videos/video_01hzzzzzzz0123456789abcdef'],
    ['POST', '/v1/videos/video_01hzzzzzzz0123456789abcdef/cancel'],
  ])('%s %s returns 503 with a retry hint', async (method, at) => {
    const response = await rig.call(at, { method });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'store_unavailable', type: 'server_error' } });
    expect(response.headers.get('x-should-retry')).toBe('true');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(response.headers.get('retry-after-ms'))).toBeGreaterThan(0);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('reports a submission that was certainly not recorded as repeatable, and removes its image', async () => {
    const response = await upload();
    expect(response.status).toBe(503);
    expect(response.headers.get('x-should-retry')).toBe('true');
    expect(await rig.storedFiles()).toEqual([]);
  });

  it('reports invalid input and a missing key as usual', async () => {
    expect((await rig.create({})).status).toBe(400);
    expect((await rig.create({ prompt: 'a' }, {}, 'sk-wrong')).status).toBe(401);
  });

  it('reports a live but unready process, with its own metrics', async () => {
    expect((await rig.call('/health/live')).status).toBe(200);
    const ready = await rig.call('/health/ready');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ status: 'unavailable', degraded: ['redis'] });
    const metrics = await rig.call('/metrics');
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toContain('sluice_http_requests_total');
  });
});

it('forbids a blind repeat and keeps the image if the reply of Redis to a submission is lost', async () => {
  proxy.dropsReplies = true;
  const response = await upload();
  expect(response.status).toBe(503);
  expect(response.headers.get('x-should-retry')).toBe('false');
  expect(response.headers.get('retry-after')).toBeNull();
  expect(await rig.storedFiles()).toHaveLength(1);
  expect(rig.logs()).not.toContain(KEYS.alice);
});
