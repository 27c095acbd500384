import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AdminRig, adminAuth, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';

let rig: AdminRig;
beforeEach(async () => {
  rig = await adminRig();
});
afterEach(() => rig.close());

async function own(key: string): Promise<{ status: number; body: unknown }> {
  const response = await rig.call('/v1/key', { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}

describe('GET /v1/key', () => {
  it('returns the settings and the spending of a stored key, without its secret and id', async () => {
    const settings = { models: ['video'], limits: { rpm: 9 }, budget: { usd: 5, period: 'total' } };
    const key = await rig.createKey('app', settings);
    const { status, body } = await own(key);
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'key',
      name: 'app',
      status: 'active',
      last4: key.slice(-4),
      strict: false,
      vendor_references: false,
      ...settings,
      spending: { spent_usd: 0, reserved_usd: 0, remaining_usd: 5 },
      created_at: expect.any(Number) as number,
    });
    expect(JSON.stringify(body)).not.toContain(key);
  });

  it('returns a configured key', async () => {
    expect(await own(KEYS.carol)).toMatchObject({ status: 200, body: { name: 'carol', models: ['video'] } });
  });

  it('refuses the admin key, an unknown key, and parameters', async () => {
    const admin = await rig.call('/v1/key', { headers: adminAuth });
    expect(admin.status).toBe(404);
    expect(await own('sk-unknown')).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
    expect((await rig.call('/v1/key?name=bob')).status).toBe(400);
    expect((await rig.call('/v1/key', { method: 'DELETE' })).status).toBe(405);
  });
});
