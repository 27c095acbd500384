import { createWorkerMetrics } from '@sluice/telemetry';
import { freePort } from '@sluice/testkit';
import { describe, expect, it } from 'vitest';
import { startHealth } from './health.ts';

describe("the worker's health endpoint", () => {
  it('is always live, and ready while Redis responds', async () => {
    const port = String(await freePort());
    let ready = true;
    const health = await startHealth(port, { ready: async () => ready });
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect(await status('/health/ready')).toBe(200);
    ready = false;
    expect(await status('/health/ready')).toBe(503);
    expect(await status('/health/live')).toBe(200);
    await health.close();
    await expect(status('/health/live')).rejects.toThrow();
  });

  it('serves metrics, also while Redis is unavailable', async () => {
    const port = String(await freePort());
    const metrics = createWorkerMetrics();
    metrics.recordAttempt({ upstream: 'vendor', model: 'clip', operation: 'poll' }, 'served', 0.1);
    const health = await startHealth(port, { ready: async () => false, metrics });
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toContain('sluice_upstream_attempts_total{upstream="vendor"');
    await health.close();
  });

  it('serves nothing without a port', async () => {
    await (await startHealth(undefined, { ready: async () => true })).close();
  });

  it('rejects an invalid port', async () => {
    await expect(startHealth('http', { ready: async () => true })).rejects.toThrow('SLUICE_WORKER_HEALTH_PORT');
  });
});
