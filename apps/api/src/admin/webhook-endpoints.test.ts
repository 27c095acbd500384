import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { signIn } from '../../test/security/console-session.ts';
import { AdminDeliveryPageSchema, AdminWebhookPageSchema } from './webhook-endpoints.ts';

let rig: AdminRig;
/** Ids of webhooks. */
let [alice1, alice2, bob]: string[] = [];
beforeAll(async () => {
  rig = await adminRig({ config: { webhooks: { timeout_ms: 1 } } });
  alice1 = await register(KEYS.alice, 'one');
  alice2 = await register(KEYS.alice, 'two');
  bob = await register(KEYS.bob, 'three');
  // No worker runs, so the deliveries of these tests stay pending.
  for (const [id, key] of [
    [alice1, KEYS.alice],
    [bob, KEYS.bob],
    [alice2, KEYS.alice],
  ] as const) {
    await sendTest(id ?? '', key);
  }
});
afterAll(() => rig.close());

async function register(key: string, name: string): Promise<string> {
  const response = await rig.call('/v1/webhooks', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `https://client.test/${name}`, name }),
  });
  return ((await response.json()) as { id: string }).id; // The response is a webhook.
}

async function sendTest(id: string, key: string): Promise<void> {
  const waiting = new AbortController();
  const before = (await deliveries()).data.length;
  const headers = { authorization: `Bearer ${key}` };
  const sent = rig
    .call(`/v1/webhooks/${id}/test`, { method: 'POST', headers, signal: waiting.signal })
    .catch(() => null);
  for (let tries = 0; tries < 100 && (await deliveries()).data.length === before; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  waiting.abort();
  await sent;
}

const webhooks = async (query = '') => AdminWebhookPageSchema.parse((await rig.admin('GET', `webhooks${query}`)).body);
const deliveries = async (query = '') =>
  AdminDeliveryPageSchema.parse((await rig.admin('GET', `webhooks/deliveries${query}`)).body);

describe('GET /admin/v1/webhooks', () => {
  it('lists the webhooks of all keys page by page, without secrets', async () => {
    const { data, has_more: hasMore } = await webhooks();
    expect(data.map(({ key, name }) => `${key} ${name}`).toSorted()).toEqual(['alice one', 'alice two', 'bob three']);
    expect(data.map(({ key }) => key)).toEqual(['alice', 'alice', 'bob']);
    expect(hasMore).toBe(false);
    expect(JSON.stringify(data)).not.toMatch(/whsec_[\w+/]{20}/);
    const first = await webhooks('?limit=2');
    expect(first).toMatchObject({ has_more: true, next: data[1]?.id });
    expect((await webhooks(`?limit=2&after=${first.next}`)).data.map(({ id }) => id)).toEqual([bob]);
    expect((await webhooks('?key=bob')).data.map(({ id }) => id)).toEqual([bob]);
    expect((await webhooks('?key=nobody')).data).toEqual([]);
  });
});

describe('GET /admin/v1/webhooks/deliveries', () => {
  it('lists the deliveries of all keys, newest first, page by page', async () => {
    const all = await deliveries();
    expect(all.data.map(({ webhook_id: id }) => id)).toEqual([alice2, bob, alice1]);
    expect(all.data.map(({ key }) => key)).toEqual(['alice', 'bob', 'alice']);
    const paged: string[] = [];
    let after: string | undefined;
    do {
      const page = await deliveries(`?limit=1${after === undefined ? '' : `&after=${after}`}`);
      paged.push(...page.data.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    expect(paged).toEqual(all.data.map(({ id }) => id));
    expect((await deliveries('?key=bob')).data.map(({ key }) => key)).toEqual(['bob']);
    expect((await deliveries(`?webhook_id=${alice1}`)).data.map(({ webhook_id: id }) => id)).toEqual([alice1]);
    expect((await deliveries(`?webhook_id=${alice1}&key=bob`)).data).toEqual([]);
  });

  it('shows the request of a delivery, and sends it again', async () => {
    const [newest] = (await deliveries()).data;
    const { status, body } = await rig.admin('GET', `webhooks/deliveries/${newest?.id}`);
    expect(status).toBe(200);
    expect(AdminDeliveryPageSchema.shape.data.element.parse(body)).toMatchObject({
      key: 'alice',
      request: { url: 'https://client.test/two' },
    });
    expect(await rig.admin('POST', `webhooks/deliveries/${newest?.id}/redeliver`)).toMatchObject({
      status: 200,
      body: { id: newest?.id, key: 'alice', status: 'pending' },
    });
  });
});

describe('changes of a webhook', () => {
  it('rotates the secret and deletes the webhook of a key', async () => {
    const { status, body } = await rig.admin('POST', `webhooks/${bob}/rotate`, { keep_previous: false });
    expect([status, body['key']]).toEqual([200, 'bob']);
    expect(body['secret']).toMatch(/^whsec_/);
    expect(body).not.toHaveProperty('previous_secret_until');
    expect(await rig.admin('DELETE', `webhooks/${bob}`)).toMatchObject({ status: 200, body: { id: bob, key: 'bob' } });
    expect((await rig.admin('GET', `webhooks/${bob}`)).status).toBe(404);
    expect((await webhooks()).data.map(({ key }) => key)).toEqual(['alice', 'alice']);
  });

  it('needs the role of an admin, and a delivery is sent again by an operator', async () => {
    const [newest] = (await deliveries()).data;
    const calls = [
      ['POST', `webhooks/${alice1}/rotate`, 'admin'],
      ['DELETE', `webhooks/${alice1}`, 'admin'],
      ['POST', `webhooks/deliveries/${newest?.id}/redeliver`, 'operator'],
    ] as const;
    for (const role of ['viewer', 'operator'] as const) {
      const person = await signIn(rig, ADMIN_KEY, role);
      expect((await person.call('/admin/v1/webhooks')).status).toBe(200);
      for (const [method, path, needed] of calls) {
        const { status } = await person.call(`/admin/v1/${path}`, { method });
        expect(status, `${role} ${method} ${path}`).toBe(role === needed ? 200 : 403);
      }
    }
  });
});
