import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ADMIN_KEY, type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { signIn } from '../../test/security/console-session.ts';

interface Entry {
  id: string;
  actor: { type: string; name: string; session_id?: string };
  role: string;
  operation: string;
  path: string;
  target?: string;
  status: number;
}

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

async function list(query = '', one = rig): Promise<{ data: Entry[]; next?: string; has_more: boolean }> {
  const { status, body } = await one.admin('GET', `audit?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as never; // The cast is safe because the status is 200.
}

/** Waits for the entries of a query, because a response does not wait for its entry. */
async function entriesOf(query: string, count = 1): Promise<Entry[]> {
  await expect.poll(async () => (await list(query)).data.length).toBe(count);
  return (await list(query)).data;
}

function stored(role: string, operation: string): string {
  const actor = { type: role === 'holder' ? 'api_key' : 'admin_key', name: 'x' };
  return JSON.stringify({ actor, role, operation, method: 'POST', path: '/', status: 200, request_id: 'r' });
}

describe('the audit log', () => {
  it('has the actor, the target, and the outcome of each change with the admin key', async () => {
    const created = await rig.admin('POST', 'keys', { name: 'audited' });
    await rig.admin('PATCH', 'keys/audited', { strict: true });
    await rig.admin('DELETE', 'keys/no-such-key');
    await rig.admin('POST', 'keys', { name: 'audited' });
    const [again, removed, changed, first] = await entriesOf('limit=4', 4);
    expect(first).toMatchObject({
      object: 'audit.entry',
      actor: { type: 'admin_key', name: 'admin' },
      role: 'admin',
      operation: 'adminCreateKey',
      method: 'POST',
      path: '/admin/v1/keys',
      target: created.body['id'],
      status: 201,
      request_id: expect.stringMatching(/^req_/),
    });
    expect(changed).toMatchObject({ operation: 'adminChangeKey', target: 'audited', status: 200 });
    expect(removed).toMatchObject({ operation: 'adminRevokeKey', target: 'no-such-key', status: 404 });
    expect([again?.operation, again?.target, again?.status]).toEqual(['adminCreateKey', undefined, 400]);
    expect(JSON.stringify(await list())).not.toContain(String(created.body['key']));
  });

  it('names the session of a person, also if the role is refused', async () => {
    const viewer = await signIn(rig, ADMIN_KEY, 'viewer');
    expect((await viewer.call('/admin/v1/keys/alice', { method: 'DELETE' })).status).toBe(403);
    await viewer.call('/console/api/session', { method: 'DELETE' });
    const actor = { type: 'admin_key', name: 'admin', session_id: viewer.id };
    expect(await entriesOf(`actor=${viewer.id}`, 3)).toMatchObject([
      { actor, role: 'viewer', operation: 'consoleSignOut', status: 200 },
      { actor, role: 'viewer', operation: 'adminRevokeKey', target: 'alice', status: 403 },
      { actor, role: 'viewer', operation: 'consoleSignIn', status: 201 },
    ]);
  });

  it('has the changes of API keys to webhooks and sessions', async () => {
    const headers = { authorization: `Bearer ${KEYS.bob}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ url: 'https://client.test/hook' });
    const { id } = (await (await rig.call('/v1/webhooks', { method: 'POST', headers, body })).json()) as { id: string }; // A webhook has an id.
    await rig.call(`/v1/webhooks/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${KEYS.bob}` } });
    const alice = await signIn(rig, KEYS.bob);
    const other = await signIn(rig, KEYS.bob);
    await alice.call(`/console/api/sessions/${other.id}`, { method: 'DELETE' });
    const entries = await entriesOf('actor=bob', 5);
    expect(entries.map(({ operation, target }) => [operation, target])).toEqual([
      ['consoleEndSession', other.id],
      ['consoleSignIn', undefined],
      ['consoleSignIn', undefined],
      ['deleteWebhook', id],
      ['createWebhook', id],
    ]);
    for (const { actor, role } of entries) expect([actor.type, role]).toEqual(['api_key', 'holder']);
  });

  it('has no entry of a request without a valid credential, or of a read', async () => {
    const before = (await list('limit=1')).data[0]?.id;
    const wrong = { method: 'DELETE', headers: { authorization: 'Bearer sk-wrong' } };
    expect((await rig.call('/admin/v1/keys/x', wrong)).status).toBe(401);
    await expect(signIn(rig, 'sk-wrong')).rejects.toThrow('invalid_api_key');
    await rig.admin('GET', 'keys');
    await rig.admin('DELETE', 'keys/marker');
    const newest = await entriesOf('target=marker');
    expect((await list('limit=2')).data.map(({ id }) => id)).toEqual([newest[0]?.id, before]);
  });

  it('has no key that was sent in a path', async () => {
    await rig.admin('DELETE', `keys/${KEYS.carol}?key=${KEYS.alice}`);
    const [entry] = await entriesOf(`target=${encodeURIComponent('sk-…')}`);
    expect(JSON.stringify(entry)).not.toMatch(/carol-key|alice-key/);
  });
});

describe('GET /admin/v1/audit', () => {
  it('filters by actor, operation, target, and time', async () => {
    await rig.admin('DELETE', 'keys/filtered');
    await entriesOf('target=filtered');
    expect((await list('target=filtered&operation=adminRevokeKey&actor=admin')).data).toHaveLength(1);
    expect((await list('target=filtered&operation=adminCreateKey')).data).toEqual([]);
    expect((await list('target=filtered&actor=bob')).data).toEqual([]);
    expect((await list('target=filtered&start_time=2000-01-01')).data).toHaveLength(1);
    expect((await list('target=filtered&end_time=2000-01-01')).data).toEqual([]);
  });

  it('returns every entry once, page by page, also those with the same time', async () => {
    const own = await adminRig();
    onTestFinished(() => own.close());
    const redis = new Redis(own.tasks.redisUrl);
    onTestFinished(() => redis.disconnect());
    for (let at = 1; at <= 7; at += 1) {
      await redis.xadd(`{${own.tasks.prefix}}:audit`, `${at}-0`, 'entry', stored('admin', `o${at}`));
      await redis.xadd(`{${own.tasks.prefix}}:audit-of-holders`, `${at}-0`, 'entry', stored('holder', `h${at}`));
    }
    await redis.xadd(`{${own.tasks.prefix}}:audit`, '8-0', 'entry', 'damaged');
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await list(`limit=3&end_time=3000${after === undefined ? '' : `&after=${after}`}`, own);
      seen.push(...page.data.map(({ operation }) => operation));
      after = page.next;
      expect(page.has_more).toBe(after !== undefined);
    } while (after !== undefined);
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].flatMap((at) => [`o${at}`, `h${at}`]));
  });
});

it('does not fail a change if its entry cannot be written', async () => {
  const own = await adminRig();
  onTestFinished(() => own.close());
  const redis = new Redis(own.tasks.redisUrl);
  onTestFinished(() => redis.disconnect());
  await redis.set(`{${own.tasks.prefix}}:audit`, 'no stream');
  expect((await own.admin('POST', 'keys', { name: 'unrecorded' })).status).toBe(201);
  const metrics = async () => (await own.call('/metrics')).text();
  await expect.poll(metrics).toContain('\nsluice_audit_lost_entries_total 1\n');
  const line = own
    .logs()
    .split('\n')
    .find((text) => text.includes('audit log unavailable'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ operation: 'adminCreateKey', actor: 'admin', status: 201 });
  expect((await own.admin('GET', 'audit')).status).toBe(503);
});
