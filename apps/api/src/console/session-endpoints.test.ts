import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ADMIN_KEY, type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { type ConsoleClient, signIn } from '../../test/security/console-session.ts';

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

/** Signs in with a wrong key through a proxy. @returns the code of each error */
async function attempt(one: AdminRig, count: number, forwardedFor: (at: number) => string): Promise<string[]> {
  const codes: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const response = await fetch(`${one.origin}/console/api/session`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': forwardedFor(at),
      },
      body: JSON.stringify({ key: 'sk-wrong' }),
    });
    codes.push(await codeOf(response));
  }
  return codes;
}

describe('the limit of attempts behind a proxy', () => {
  it('ignores X-Forwarded-For of a client that is no trusted proxy', async () => {
    for (const trusted of [[], ['192.0.2.1']]) {
      const own = await adminRig({ config: { server: { admin_key: ADMIN_KEY, trusted_proxies: trusted } } });
      onTestFinished(() => own.close());
      const codes = await attempt(own, 11, (at) => `198.51.100.${at}`);
      expect(codes.at(9)).toBe('invalid_api_key');
      expect(codes.at(10)).toBe('rate_limited');
    }
  });

  it('counts each client of a trusted proxy, by the address that the proxy added', async () => {
    const own = await adminRig({ config: { server: { admin_key: ADMIN_KEY, trusted_proxies: ['127.0.0.0/8'] } } });
    onTestFinished(() => own.close());
    // A client can send any addresses before its own.
    const codes = await attempt(own, 11, (at) => `203.0.113.${at}, 198.51.100.1:${50_000 + at}`);
    expect(codes.at(9)).toBe('invalid_api_key');
    expect(codes.at(10)).toBe('rate_limited');
    expect(await attempt(own, 1, () => '198.51.100.2')).toEqual(['invalid_api_key']);
  });
});

async function statusOf(client: ConsoleClient): Promise<number> {
  return (await client.call('/console/api/session')).status;
}

it("ends the oldest of more than 50 sessions of a key, and no other key's", async () => {
  const own = await adminRig();
  onTestFinished(() => own.close());
  const other = await signIn(own, KEYS.bob);
  const first = await signIn(own, KEYS.alice);
  const second = await signIn(own, KEYS.alice);
  const third = await signIn(own, KEYS.alice);
  // Ended sessions do not count.
  await first.call('/console/api/session', { method: 'DELETE' });
  for (let count = 3; count < 50; count += 1) await signIn(own, KEYS.alice);
  expect(await statusOf(second)).toBe(200);
  await signIn(own, KEYS.alice);
  expect(await statusOf(second)).toBe(200);
  await signIn(own, KEYS.alice);
  expect([await statusOf(second), await statusOf(third), await statusOf(other)]).toEqual([401, 200, 200]);
  const { data } = (await (await third.call('/console/api/sessions')).json()) as { data: unknown[] }; // A list.
  expect(data).toHaveLength(50);
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

  it('does not prevent a link of another site of the same domain to the console', async () => {
    const alice = await signIn(rig, KEYS.alice);
    const headers = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' };
    // 503 if the console is not built.
    expect([200, 503]).toContain((await alice.call('/console/', { headers })).status);
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
