import { OIDC_CLIENT, type OidcServer, startOidcServer } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_KEY, type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { signIn } from '../../test/security/console-session.ts';
import { type OidcBrowser, oidcBrowser } from '../../test/security/oidc-browser.ts';

const PUBLIC_URL = 'https://sluice.test';
const USERS = {
  ada: { email: 'ada@corp.test', groups: ['platform'] },
  // Another person with the same address.
  adam: { email: 'ada@corp.test', groups: ['platform'] },
  vera: { email: 'vera@corp.test', groups: ['staff'] },
};
const VIDEO = { model: 'video', prompt: 'a paper boat' };

let provider: OidcServer;
let rig: AdminRig;
beforeAll(async () => {
  provider = await startOidcServer({ redirectUris: [`${PUBLIC_URL}/console/api/oidc/callback`], users: USERS });
  const client = { issuer: provider.issuer, client_id: OIDC_CLIENT.id, client_secret: OIDC_CLIENT.secret };
  const oidc = { ...client, scopes: ['openid', 'email', 'groups'], roles: { admin: ['platform'], viewer: ['staff'] } };
  const server = { public_url: PUBLIC_URL, admin_key: ADMIN_KEY };
  rig = await adminRig({ config: { server, console: { oidc } }, redisTimeoutMs: 10_000 });
});
afterAll(async () => {
  await rig.close();
  await provider.close();
});

async function signedIn(user: string): Promise<OidcBrowser> {
  const browser = oidcBrowser(rig, PUBLIC_URL);
  await browser.signIn(user);
  return browser;
}

async function created(client: Pick<OidcBrowser, 'call'>, at: string, body: object): Promise<string> {
  const response = await client.call(at, { method: 'POST', body });
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id; // The status is 200.
}

it('owns what it creates, under its name', async () => {
  const [ada, adam, admin] = [await signedIn('ada'), await signedIn('adam'), await signIn(rig, ADMIN_KEY)];
  const clients = [ada, adam, admin];
  const ids: string[] = [];
  const owners: string[] = [];
  for (const client of clients) {
    const id = await created(client, '/v1/videos', VIDEO);
    ids.push(id);
    owners.push(String((await rig.admin('GET', `tasks/${id}`)).body['owner']));
  }
  const [one, other] = owners;
  expect(one).toMatch(/^console:ada@corp\.test:[\da-f]{8}$/);
  expect(other).toMatch(/^console:ada@corp\.test:[\da-f]{8}$/);
  expect(other).not.toBe(one);
  expect(owners[2]).toBe('console:admin');
  // As with API keys, each reads its own only. All of them read everything with the admin API.
  for (const [at, client] of clients.entries()) {
    const statuses = await Promise.all(ids.map(async (id) => (await client.call(`/v1/videos/${id}`)).status));
    expect(statuses).toEqual(ids.map((_, index) => (index === at ? 200 : 404)));
    expect((await client.call(`/admin/v1/tasks/${ids[0]}`)).status).toBe(200);
  }
});

it('finds its own tasks after the next sign-in', async () => {
  const id = await created(await signedIn('ada'), '/v1/videos', VIDEO);
  expect((await (await signedIn('ada')).call(`/v1/videos/${id}`)).status).toBe(200);
});

it('has webhooks that the admin API lists', async () => {
  const id = await created(await signedIn('ada'), '/v1/webhooks', { url: 'https://client.test/hook' });
  const { body } = await rig.admin('GET', 'webhooks');
  expect(body['data']).toMatchObject([{ id, key: expect.stringMatching(/^console:ada@corp\.test:/) }]);
});

it('only reads as a viewer', async () => {
  const vera = await signedIn('vera');
  expect((await vera.call('/v1/models')).status).toBe(200);
  expect((await vera.call('/v1/videos', { method: 'POST', body: VIDEO })).status).toBe(403);
});
