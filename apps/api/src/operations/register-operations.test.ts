import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig } from '../../test/api-rig.ts';

let rig: ApiRig;
const stop = new AbortController();
const storage = { available: true, isAvailable: () => storage.available };
beforeAll(async () => {
  rig = await apiRig({ stopping: stop.signal, storage });
});
afterAll(() => rig.close());

describe('health and metrics', () => {
  it.each(['/health/live', '/health/ready', '/metrics'])('need no key for GET and HEAD %s', async (at) => {
    expect((await fetch(rig.origin + at)).status).toBe(200);
    const head = await fetch(rig.origin + at, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
  });

  it('report that everything works', async () => {
    expect(await (await rig.call('/health/live')).json()).toEqual({ status: 'ok' });
    expect(await (await rig.call('/health/ready')).json()).toEqual({ status: 'ok', degraded: [] });
  });

  it('include metrics of the fleet and of the process in the Prometheus text format', async () => {
    await rig.create();
    const response = await rig.call('/metrics');
    expect(response.headers.get('content-type')).toContain('text/plain');
    const text = await response.text();
    expect(text).toMatch(/^sluice_tasks\{status="queued"\} 1$/m);
    expect(text).toMatch(/^sluice_http_requests_total\{/m);
    expect(text).toMatch(/^sluice_batches_open 0$/m);
    expect(text).toMatch(/^sluice_files_created_total 0$/m);
    expect(text).toMatch(/^sluice_batch_ends_total\{status="expired"\} 0$/m);
    for (const line of text.split('\n').filter(Boolean)) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|[a-z_]+(\{[^{}]*\})? [-+\d.eInfNa]+)$/);
    }
  });

  it('report an unavailable content store', async () => {
    const metric = async () => /^sluice_storage_available (\d)$/m.exec(await (await rig.call('/metrics')).text())?.[1];
    expect(await metric()).toBe('1');
    storage.available = false;
    const ready = await rig.call('/health/ready');
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable', degraded: ['storage'] }]);
    expect(await metric()).toBe('0');
    storage.available = true;
    expect((await rig.call('/health/ready')).status).toBe(200);
  });

  it('report that the process stops, so that it gets no more requests while it lives', async () => {
    stop.abort();
    const ready = await rig.call('/health/ready');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ status: 'stopping', degraded: [] });
    expect((await rig.call('/health/live')).status).toBe(200);
  });
});
