import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { OverviewSchema } from './overview-endpoint.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig({
    config: {
      server: { admin_key: 'an admin key of the rig' },
      upstreams: { acme: { kind: 'chat-completions', base_url: 'http://127.0.0.1:9/v1', api_key: 'k' } },
      models: [{ id: 'text', routes: [{ upstream: 'acme', model: 'm' }] }],
      routing: { failures: 1 },
    },
  });
});
afterAll(() => rig.close());

const overview = async () => OverviewSchema.parse((await rig.admin('GET', 'overview')).body);

describe('GET /admin/v1/overview', () => {
  it('counts the tasks by state', async () => {
    await rig.createdId();
    const { tasks } = await overview();
    expect(Object.values(tasks).reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it('shows an upstream whose circuit breaker is open', async () => {
    expect((await overview()).upstreams).toContainEqual({ upstream: 'acme', state: 'closed', open_operations: [] });
    const body = JSON.stringify({ model: 'text', messages: [{ role: 'user', content: 'x' }] });
    const headers = { authorization: 'Bearer sk-alice-key', 'content-type': 'application/json' };
    expect((await rig.call('/v1/chat/completions', { method: 'POST', headers, body })).ok).toBe(false);
    expect((await overview()).upstreams).toContainEqual({ upstream: 'acme', state: 'open', open_operations: ['text'] });
  });
});
