import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadLines } from '../../test/batches/batches-rig.ts';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';

const CHAT = '/v1/chat/completions';
let rig: AdminRig;
/** Ids in the order of their creation. No worker runs the batches. */
const ids: string[] = [];
beforeAll(async () => {
  rig = await adminRig();
  for (const key of [KEYS.alice, KEYS.bob, KEYS.alice]) {
    const headers = { authorization: `Bearer ${key}` };
    const input_file_id = await uploadLines(rig, CHAT, [{ model: 'm', messages: [] }], { headers });
    const body = JSON.stringify({ input_file_id, endpoint: CHAT, completion_window: '24h' });
    const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    // The cast is safe because every batch has an id.
    ids.push(((await (await rig.call('/v1/batches', sent)).json()) as { id: string }).id);
  }
});
afterAll(() => rig.close());

async function find(query: string): Promise<[number[], unknown]> {
  const { status, body } = await rig.admin('GET', `batches?${query}`);
  expect(status).toBe(200);
  const data = body['data'] as { id: string }[]; // The cast is safe because the status is 200.
  return [data.map(({ id }) => ids.indexOf(id)), body['next']];
}

const newest = (): string => ids[2] ?? '';

describe('the admin API of batches', () => {
  it('lists the batches of all keys in pages, newest first', async () => {
    expect(await find('')).toEqual([[2, 1, 0], undefined]);
    expect(await find('limit=2')).toEqual([[2, 1], ids[1]]);
    expect(await find(`limit=2&after=${ids[1]}`)).toEqual([[0], undefined]);
  });

  it('filters by key, status, and model', async () => {
    expect(await find('owner=alice')).toEqual([[2, 0], undefined]);
    expect(await find('status=validating&owner=bob')).toEqual([[1], undefined]);
    expect(await find('status=failed')).toEqual([[], undefined]);
    expect(await find('model=other')).toEqual([[], undefined]);
  });

  it('retrieves a batch of any key in the format of its owner, with the name of the key', async () => {
    const { status, body } = await rig.admin('GET', `batches/${ids[1]}`);
    const headers = { authorization: `Bearer ${KEYS.bob}` };
    const own = await (await rig.call(`/v1/batches/${ids[1]}`, { headers })).json();
    expect(own).toMatchObject({ object: 'batch', upstream: null });
    expect([status, body]).toEqual([200, Object.assign(own as object, { owner: 'bob' })]);
  });

  it('pauses, resumes, and cancels a batch of any key, and records it in the audit log', async () => {
    const paused = await rig.admin('POST', `batches/${newest()}`, { paused: true, priority: 3 });
    expect([paused.status, paused.body]).toMatchObject([200, { paused: true, priority: 3, owner: 'alice' }]);
    expect((await rig.admin('POST', `batches/${newest()}`, { paused: false })).body).toMatchObject({ paused: false });
    const cancelled = await rig.admin('POST', `batches/${newest()}/cancel`);
    expect([cancelled.status, cancelled.body]).toMatchObject([200, { status: 'cancelled', owner: 'alice' }]);
    const again = await rig.admin('POST', `batches/${newest()}/cancel`);
    expect([again.status, again.body]).toMatchObject([409, { error: { code: 'batch_conflict' } }]);
    const entries = async () => (await rig.admin('GET', `audit?target=${newest()}`)).body['data'];
    await expect
      .poll(entries)
      .toMatchObject([
        { operation: 'adminCancelBatch', status: 409 },
        { operation: 'adminCancelBatch', status: 200 },
        { operation: 'adminChangeBatch' },
        { operation: 'adminChangeBatch' },
      ]);
  });
});
