import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig();
});
afterAll(() => rig.close());

function lines(): Record<string, unknown>[] {
  const all = rig.logs().split('\n').filter(Boolean);
  // The cast is safe because each log line is a JSON object.
  return all.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('every request', () => {
  it('returns its id under both names: the caller’s or a new one', async () => {
    const response = await rig.call('/v1/videos', { headers: { 'x-api-key': KEYS.alice, 'x-request-id': 'trace-7' } });
    expect(response.headers.get('x-request-id')).toBe('trace-7');
    expect(response.headers.get('request-id')).toBe('trace-7');
    const ids = await Promise.all(
      ['/v1/videos', '/v1/videos', '/nowhere', '/health/live', '/openapi.json', '/v1/videos/%zz'].map(async (at) =>
        (await rig.call(at)).headers.get('x-request-id'),
      ),
    );
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('leaves one log line with its client, endpoint, and outcome', async () => {
    await rig.call('/v1/videos?limit=3', { headers: { 'x-api-key': KEYS.bob, 'x-request-id': 'one-line' } });
    await expect.poll(() => lines().filter((line) => line['request_id'] === 'one-line')).toHaveLength(1);
    expect(lines().find((line) => line['request_id'] === 'one-line')).toMatchObject({
      level: 'info',
      msg: 'request',
      method: 'GET',
      path: '/v1/videos?limit=3',
      status: 200,
      client: 'bob',
      ms: expect.any(Number),
    });
  });

  it('leaves no prompt, body, or key in the log', async () => {
    await rig.create({ prompt: 'a-private-kite', metadata: { note: 'a-private-note' } });
    await rig.create({ prompt: 'a-private-kite', size: 'a-private-size' });
    await rig.call(`/v1/videos?k%65y=${KEYS.carol}`, { headers: {} });
    await expect.poll(() => rig.logs()).toContain('k%65y=');
    expect(rig.logs()).not.toMatch(/a-private|sk-alice|sk-carol/);
  });

  it('by a probe is logged at debug level', async () => {
    await rig.call('/health/live', { headers: { 'x-request-id': 'prober' } });
    await expect.poll(() => lines().find((line) => line['request_id'] === 'prober')).toMatchObject({ level: 'debug' });
  });

  it('is counted by route, never by its actual path', async () => {
    await rig.call('/v1/videos/video_secret');
    await rig.call('/some/unknown/path');
    await expect
      .poll(() => rig.metrics.render())
      .toMatch(/sluice_http_requests_total\{method="GET",route="none",status="404"\} [1-9]/);
    const text = await rig.metrics.render();
    expect(text).toMatch(/route="\/v1\/videos\/:task_id",status="404"/);
    expect(text).not.toMatch(/video_secret|unknown/);
    expect(text).toMatch(/sluice_http_request_duration_seconds_count\{/);
  });

  it('is no longer in flight when it has ended', async () => {
    await Promise.all(Array.from({ length: 10 }, () => rig.call('/v1/videos').then((response) => response.text())));
    await expect.poll(() => rig.metrics.render()).toMatch(/^sluice_http_requests_in_flight 0$/m);
  });
});
