import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGroups } from '../../test/groups/start-groups.ts';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';

let rig: AdminRig;
/** Ids in the order of their creation. */
const ids: string[] = [];
beforeAll(async () => {
  rig = await adminRig({
    script: {
      submit: ({ request }) =>
        request.prompt?.includes('fail')
          ? { kind: 'rejected', code: 'content_policy', message: 'The prompt was refused.' }
          : undefined,
    },
  });
  for (const key of [KEYS.alice, KEYS.bob, KEYS.alice]) ids.push(await create(key, ['a kite', 'fail']));
});
afterAll(() => rig.close());

async function create(key: string, prompts: readonly string[]): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ prompts, model: 'video' });
  // The cast is safe because every group has an id.
  return ((await (await rig.call('/v1/videos/batch', { method: 'POST', headers, body })).json()) as { id: string }).id;
}

async function find(query: string): Promise<[number[], unknown]> {
  const { status, body } = await rig.admin('GET', `groups?${query}`);
  expect(status).toBe(200);
  const data = body['data'] as { id: string }[]; // The cast is safe because the status is 200.
  return [data.map(({ id }) => ids.indexOf(id)), body['next']];
}

const [at0, at1, at2] = [() => ids[0] ?? '', () => ids[1] ?? '', () => ids[2] ?? ''];

describe('the admin API of groups', () => {
  it('lists the groups of all keys in pages, newest first, and filters them', async () => {
    expect(await find('')).toEqual([[2, 1, 0], undefined]);
    expect(await find('limit=2')).toEqual([[2, 1], at1()]);
    expect(await find(`limit=2&after=${at1()}`)).toEqual([[0], undefined]);
    expect(await find('owner=alice')).toEqual([[2, 0], undefined]);
    expect(await find('status=completed')).toEqual([[], undefined]);
  });

  it('cancels a group of any key, and records it in the audit log', async () => {
    const { status, body } = await rig.admin('POST', `groups/${at1()}/cancel`);
    expect([status, body]).toMatchObject([200, { status: 'cancelled', owner: 'bob', counts: { cancelled: 2 } }]);
    expect((await rig.admin('POST', `groups/${at1()}/cancel`)).status).toBe(409);
    expect((await rig.admin('POST', `groups/${at1()}/retry`, {})).body).toMatchObject({
      error: { code: 'batch_conflict' },
    });
    const entries = async () => (await rig.admin('GET', `audit?target=${at1()}`)).body['data'];
    await expect.poll(entries).toMatchObject([
      { operation: 'adminRetryVideoGroup', status: 409 },
      { operation: 'adminCancelVideoGroup', status: 409 },
      { operation: 'adminCancelVideoGroup', status: 200 },
    ]);
  });

  it('shows the videos of a group with their tasks, without prompts, and retries the failed ones', async () => {
    await rig.admin('POST', `groups/${at2()}/cancel`);
    const worker = startGroups(rig);
    await rig.tasks.startWorker();
    const group = async (query = '') => (await rig.admin('GET', `groups/${at0()}${query}`)).body;
    await expect.poll(async () => (await group())['counts'], { timeout: 30_000 }).toMatchObject({ failed: 1 });
    const page = await group('?limit=1&after=0');
    expect(page).toMatchObject({
      owner: 'alice',
      videos: {
        data: [
          {
            index: 1,
            state: 'failed',
            error: { code: 'content_policy' },
            task: { object: 'task', owner: 'alice', model: 'video', status: 'failed' },
          },
        ],
        has_more: false,
      },
    });
    expect(JSON.stringify(page)).not.toContain('"prompt"');
    await worker.close(0);
    const { status, body } = await rig.admin('POST', `groups/${at0()}/retry`, {});
    expect([status, body]).toMatchObject([200, { status: 'in_progress', counts: { failed: 0, pending: 1 } }]);
    expect((await group())['videos']).toMatchObject({ data: [{}, { state: 'pending', retries: 1, task: null }] });
  });
});
