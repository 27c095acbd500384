import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { signIn } from '../../test/security/console-session.ts';
import { consoleCaller } from './console-caller.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const VIDEO = { model: 'video', prompt: 'a paper boat' };

describe('a session with the admin key', () => {
  it('calls models as `console:admin`', async () => {
    const browser = await signIn(rig, ADMIN_KEY);
    const created = await browser.call('/v1/videos', { method: 'POST', body: VIDEO });
    expect(created.status).toBe(200);
    // The cast is safe because the status is 200.
    const { id } = (await created.json()) as { id: string };
    const { body } = await rig.admin('GET', `tasks/${id}`);
    expect(body).toMatchObject({ owner: 'console:admin' });
    expect((await rig.call(`/v1/videos/${id}`)).status).toBe(404);
    expect((await browser.call(`/v1/videos/${id}`)).status).toBe(200);
  });

  it('needs the CSRF token', async () => {
    const browser = await signIn(rig, ADMIN_KEY);
    const headers = { 'x-csrf-token': 'wrong' };
    expect((await browser.call('/v1/videos', { method: 'POST', body: VIDEO, headers })).status).toBe(403);
  });

  it.each(['viewer', 'operator'])('only reads as a %s', async (role) => {
    const browser = await signIn(rig, ADMIN_KEY, role);
    expect((await browser.call('/v1/models')).status).toBe(200);
    const refused = await browser.call('/v1/videos', { method: 'POST', body: VIDEO });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain(`The role \`${role}\` cannot call models.`);
  });

  it.each(['viewer', 'operator'])('reads and creates no callback secret as a %s', async (role) => {
    const browser = await signIn(rig, ADMIN_KEY, role);
    const refused = await browser.call('/v1/webhooks/secret');
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain(`The role \`${role}\` cannot read secrets.`);
  });

  it('opens no socket as a viewer', () => {
    const consoleSession = { role: 'viewer', name: 'admin' } as const;
    const request = { consoleSession, method: 'GET', headers: { upgrade: 'websocket' } };
    expect(() => consoleCaller(request)).toThrow('cannot call models');
  });

  it('does not replace an invalid API key', async () => {
    const browser = await signIn(rig, ADMIN_KEY);
    expect((await browser.call('/v1/models?key=sk-wrong')).status).toBe(401);
  });
});
