import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';
import { ADMIN_ENDPOINTS } from './endpoints.ts';

const ADMIN_KEY = 'an admin key of the rig';
let rig: ApiRig;
let without: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ config: { server: { admin_key: ADMIN_KEY } } });
  without = await apiRig();
});
afterAll(async () => {
  await rig.close();
  await without.close();
});

const EVERY = ADMIN_ENDPOINTS.map(({ method, path }) => [method, path.replaceAll(/:\w+/g, 'x')] as const);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('without an admin key', () => {
  it.each(EVERY)('responds to %s %s like to any path that does not exist', async (method, path) => {
    const response = await without.call(path, { method });
    const unknown = await without.call('/admin/v1/nothing', { method });
    expect(response.status).toBe(404);
    expect(await response.text()).toBe((await unknown.text()).replace('/admin/v1/nothing', path));
    expect((await without.call(path, { method, headers: bearer('undefined') })).status).toBe(404);
  });

  it('leaves the admin API out of the documentation', async () => {
    expect(await (await without.call('/openapi.json')).text()).not.toContain('/admin');
    expect(await (await rig.call('/openapi.json')).text()).toContain('"/admin/v1/keys/{id}"');
  });
});

describe('admin authentication', () => {
  it.each([
    ['as Bearer', bearer(ADMIN_KEY)],
    ['as bearer, with blanks around it', { authorization: `bearer   ${ADMIN_KEY}  ` }],
    ['in x-api-key', { 'x-api-key': ADMIN_KEY }],
  ])('accepts the admin key %s and forbids caching', async (_where, headers) => {
    const response = await rig.call('/admin/v1/keys', { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['none', {}],
    ['an API key', bearer(KEYS.alice)],
    ['a part of it', bearer(ADMIN_KEY.slice(0, -1))],
    ['another of its length', bearer(`${ADMIN_KEY.slice(0, -1)}x`)],
    ['more than it', bearer(`${ADMIN_KEY}1`)],
    ['an empty one', { 'x-api-key': '' }],
    ['one in a header of other protocols', { 'x-goog-api-key': ADMIN_KEY }],
    ['a wrong one before the right one', { ...bearer(KEYS.alice), 'x-api-key': ADMIN_KEY }],
  ])('returns 401 for %s on every endpoint', async (_what, headers) => {
    for (const [method, path] of EVERY) {
      const response = await rig.call(`${path}?key=${ADMIN_KEY}`, { method, headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key', type: 'authentication_error' } });
    }
  });

  it.each(['/v1/videos', '/v1/models', '/v1/responses/x'])(
    'does not accept the admin key as an API key for %s',
    async (path) => {
      expect((await rig.call(path, { headers: bearer(ADMIN_KEY) })).status).toBe(401);
    },
  );

  it('keeps the admin key out of the log, wherever it was sent', async () => {
    await rig.call(`/v1/models?key=${encodeURIComponent(ADMIN_KEY)}`, { headers: {} });
    expect(rig.logs()).toContain('/v1/models');
    expect(rig.logs()).not.toContain(ADMIN_KEY);
    expect(rig.logs()).not.toContain(encodeURIComponent(ADMIN_KEY));
  });
});

describe('a credential that is slow to compare', () => {
  it.each([
    ['blanks before a letter of another table', `Bearer ${' '.repeat(31_000)}\u00a0`],
    ['blanks between letters', `Bearer x${' '.repeat(31_000)}y`],
    ['a long one', `Bearer ${'x'.repeat(31_000)}`],
  ])('does not block other requests: %s', async (_what, authorization) => {
    const began = performance.now();
    for (let sent = 0; sent < 40; sent++) {
      expect((await rig.call('/admin/v1/keys', { headers: { authorization } })).status).toBe(401);
    }
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

describe('the admin API', () => {
  const headers = bearer(ADMIN_KEY);

  it('lists the methods of its paths and responds to HEAD like to GET', async () => {
    const response = await rig.call('/admin/v1/keys', { method: 'PUT', headers });
    expect([response.status, response.headers.get('allow')]).toEqual([405, expect.stringContaining('GET, HEAD')]);
    expect((await rig.call('/admin/v1/keys', { method: 'HEAD', headers })).status).toBe(200);
  });
});
