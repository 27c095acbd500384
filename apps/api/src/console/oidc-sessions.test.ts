import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AdminRig } from '../../test/admin-rig.ts';
import { type ApiRig, apiRig } from '../../test/api-rig.ts';
import { oidcBrowser } from '../../test/security/oidc-browser.ts';
import { configOf, PUBLIC_URL, sessionOf, startOidcRig, startProvider } from '../../test/security/oidc-rig.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await startOidcRig();
});
afterAll(() => rig.close());

describe('a session of an OIDC user', () => {
  it('is in the audit log with the subject, and ends with its revocation', async () => {
    const [ada, vera] = [oidcBrowser(rig, PUBLIC_URL), oidcBrowser(rig, PUBLIC_URL)];
    await ada.signIn('ada');
    await vera.signIn('vera');
    const { id } = await sessionOf(vera);
    expect((await ada.call(`/console/api/sessions/${String(id)}`, { method: 'DELETE' })).status).toBe(200);
    expect((await vera.call('/console/api/session')).status).toBe(401);
    const { id: own } = await sessionOf(ada);
    const actor = { type: 'oidc', name: 'ada@corp.test', subject: 'ada', session_id: own };
    await expect
      .poll(async () => (await rig.admin('GET', `audit?actor=${String(own)}`)).body['data'])
      .toEqual([
        expect.objectContaining({ actor, role: 'admin', operation: 'consoleEndSession', target: id, status: 200 }),
        expect.objectContaining({ actor, role: 'admin', operation: 'consoleSignInWithOidc', status: 302 }),
      ]);
  });

  it('does not see or end the sessions of other users with the same role', async () => {
    const [vera, victor] = [oidcBrowser(rig, PUBLIC_URL), oidcBrowser(rig, PUBLIC_URL)];
    await vera.signIn('vera');
    await victor.signIn('victor');
    const { id } = await sessionOf(victor);
    const { data } = (await (await vera.call('/console/api/sessions')).json()) as { data: { name: string }[] }; // A list.
    expect(new Set(data.map(({ name }) => name))).toEqual(new Set(['vera@corp.test']));
    expect((await vera.call(`/console/api/sessions/${String(id)}`, { method: 'DELETE' })).status).toBe(404);
  });

  it('ends when the roles of the groups change', async () => {
    const own = await startProvider();
    onTestFinished(() => own.close());
    const start = (more: object) => apiRig({ config: configOf(own.issuer, more), prefix: 'oidc-roles' });
    const before = await start({});
    const browser = oidcBrowser(before, PUBLIC_URL);
    await browser.signIn('ada');
    const cookie = `sluice_session=${browser.cookie('sluice_session')}`;
    const statusAt = async ({ origin }: ApiRig) =>
      (await fetch(`${origin}/console/api/session`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).status;
    expect(await statusAt(before)).toBe(200);
    await before.close();
    for (const [status, more] of [
      [200, { name: 'Another name' }],
      [401, { roles: { viewer: ['platform'] } }],
    ] as const) {
      const after = await start(more);
      expect(await statusAt(after)).toBe(status);
      await after.close();
    }
  });
});
