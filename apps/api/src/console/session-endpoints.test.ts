import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { signIn } from '../../test/security/console-session.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

async function codeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } }; // The response is an error.
  return error.code;
}

describe('POST /console/api/session', () => {
  it('opens a session whose cookie scripts and other sites cannot use', async () => {
    const response = await fetch(`${rig.origin}/console/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key: KEYS.alice }),
    });
    // Without `Sec-Fetch-Site` and `Origin`, the sender is no browser.
    expect([response.status, await codeOf(response)]).toEqual([403, 'permission_denied']);
    const { cookie } = await signIn(rig, KEYS.alice);
    expect(cookie).toMatch(/^sluice_session=[\w-]{43}$/);
  });

  it('sets the cookie with all protections', async () => {
    const response = await fetch(`${rig.origin}/console/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: rig.origin, 'x-forwarded-proto': 'https' },
      body: JSON.stringify({ key: KEYS.alice }),
    });
    expect(await response.json()).toMatchObject({ role: 'holder', name: 'alice' });
    expect(response.headers.get('set-cookie')).toMatch(/; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('limits the attempts of an address', async () => {
    const own = await adminRig();
    try {
      const attempts = Array.from({ length: 12 }, () =>
        signIn(own, 'sk-wrong').then(
          () => '',
          (error: Error) => error.message,
        ),
      );
      const codes = (await Promise.all(attempts)).map((text) => /"code":"(\w+)"/.exec(text)?.[1]);
      expect(codes.filter((code) => code === 'invalid_api_key')).toHaveLength(10);
      expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(2);
    } finally {
      await own.close();
    }
  });
});

describe('a session of an API key', () => {
  it('replaces the key, with the CSRF token for changes', async () => {
    const alice = await signIn(rig, KEYS.alice);
    expect((await alice.call('/v1/models')).status).toBe(200);
    const body = { model: 'video', prompt: 'a boat' };
    const created = await alice.call('/v1/videos', { method: 'POST', body });
    expect(created.status).toBe(200);
    const refused = await alice.call('/v1/videos', { method: 'POST', body, headers: { 'x-csrf-token': 'x' } });
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'permission_denied']);
    expect((await alice.call('/admin/v1/keys')).status).toBe(401);
  });

  it.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.test' },
    { origin: 'null' },
  ])('refuses a request with %j', async (headers) => {
    const alice = await signIn(rig, KEYS.alice);
    expect((await alice.call('/v1/models', { headers })).status).toBe(403);
  });

  it('does not replace a credential that the request has', async () => {
    const alice = await signIn(rig, KEYS.alice);
    expect((await alice.call('/v1/models', { headers: { authorization: 'Bearer sk-wrong' } })).status).toBe(401);
  });

  it('ends when the key is rotated or revoked', async () => {
    for (const change of ['rotate', 'revoke'] as const) {
      const key = await rig.createKey(`short-${change}`);
      await expect.poll(() => rig.statusWith(key)).toBe(200);
      const holder = await signIn(rig, key);
      expect((await holder.call('/console/api/session')).status).toBe(200);
      if (change === 'rotate') await rig.admin('POST', `keys/short-rotate/rotate`, { grace_seconds: 0 });
      else await rig.admin('DELETE', 'keys/short-revoke');
      await expect.poll(async () => (await holder.call('/console/api/session')).status).toBe(401);
      expect((await holder.call('/v1/models')).status).toBe(401);
    }
  });
});

describe('a session of the admin key', () => {
  it('reads and changes with its role', async () => {
    for (const [role, status] of Object.entries({ admin: 201, operator: 403, viewer: 403 })) {
      const person = await signIn(rig, ADMIN_KEY, role);
      expect((await person.call('/admin/v1/keys')).status).toBe(200);
      expect((await person.call('/admin/v1/keys', { method: 'POST', body: { name: `by-${role}` } })).status, role).toBe(
        status,
      );
    }
  });

  it('lets an operator, but no viewer, act on tasks', async () => {
    const cancel = { method: 'POST', body: { by: 'ops' } };
    for (const [role, status] of Object.entries({ operator: 404, viewer: 403 })) {
      const person = await signIn(rig, ADMIN_KEY, role);
      for (const action of ['cancel', 'fail', 'adopt', 'resubmit']) {
        const response = await person.call(`/admin/v1/tasks/video_x/${action}`, cancel);
        expect(status === 403 ? [403] : [400, 404], `${role} ${action}`).toContain(response.status);
      }
    }
  });

  it('lists and ends the sessions of everybody', async () => {
    const admin = await signIn(rig, ADMIN_KEY);
    const bob = await signIn(rig, KEYS.bob);
    const { data } = (await (await admin.call('/console/api/sessions')).json()) as { data: { id: string }[] };
    expect(data).toContainEqual(expect.objectContaining({ id: bob.id, name: 'bob', user_agent: 'test browser' }));
    expect(JSON.stringify(data)).not.toContain(bob.cookie.slice(-43));
    expect((await admin.call(`/console/api/sessions/${bob.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await bob.call('/v1/models')).status).toBe(401);
  });
});

describe('GET and DELETE /console/api/sessions', () => {
  it('shows and ends only the own ones of a holder', async () => {
    const [alice, other, bob] = [
      await signIn(rig, KEYS.alice),
      await signIn(rig, KEYS.alice),
      await signIn(rig, KEYS.bob),
    ];
    const { data } = (await (await alice.call('/console/api/sessions')).json()) as { data: { id: string }[] };
    const ids = data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([alice.id, other.id]));
    expect(ids).not.toContain(bob.id);
    expect((await alice.call(`/console/api/sessions/${bob.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await alice.call(`/console/api/sessions/${other.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await other.call('/console/api/session')).status).toBe(401);
  });
});

describe('DELETE /console/api/session', () => {
  it('ends the session and deletes the cookie', async () => {
    const alice = await signIn(rig, KEYS.alice);
    const response = await alice.call('/console/api/session', { method: 'DELETE' });
    expect(response.headers.get('set-cookie')).toMatch(/^sluice_session=; Path=\/; Max-Age=0;/);
    expect((await alice.call('/v1/models')).status).toBe(401);
  });
});
