import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';

let rig: AdminRig;
/** Ids in the order of their creation. */
const ids: string[] = [];
beforeAll(async () => {
  rig = await adminRig();
  for (const [key, purpose, name] of [
    [KEYS.alice, 'user_data', 'a.txt'],
    [KEYS.bob, 'batch', 'b.jsonl'],
    [KEYS.alice, 'batch', 'c.jsonl'],
  ] as const) {
    const body = new FormData();
    body.append('purpose', purpose);
    body.append('file', new Blob(['hello'], { type: 'text/plain' }), name);
    const response = await rig.call('/v1/files', { method: 'POST', body, headers: { authorization: `Bearer ${key}` } });
    // The cast is safe because every created file has an id.
    ids.push(((await response.json()) as { id: string }).id);
  }
});
afterAll(() => rig.close());

interface Page {
  data: { id: string; owner: string }[];
  has_more: boolean;
  next?: string;
}

/** Reads all pages. */
async function list(query: string): Promise<Page['data']> {
  const data: Page['data'] = [];
  for (let after: string | undefined; ;) {
    const more = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
    const { status, body } = await rig.admin('GET', `files?${query}${more}`);
    expect(status).toBe(200);
    const page = body as unknown as Page; // The cast is safe because the status is 200.
    data.push(...page.data);
    if (!page.has_more) return data;
    after = page.next;
  }
}

const idsOf = async (query: string) => (await list(query)).map(({ id }) => id);

describe('GET /admin/v1/files', () => {
  it.each([1, 2, 20])('lists the files of all keys in pages of %s', async (limit) => {
    expect(await idsOf(`limit=${limit}`)).toEqual(ids.toReversed());
  });

  it('describes each file', async () => {
    const [, file] = await list('');
    const times = { created_at: expect.any(Number), expires_at: expect.any(Number) };
    const described = { filename: 'b.jsonl', media_type: 'text/plain', purpose: 'batch', bytes: 5, ...times };
    expect(file).toEqual({ object: 'file', id: ids[1], owner: 'bob', ...described });
  });

  it('filters by key and purpose', async () => {
    expect(await idsOf('owner=alice&limit=1')).toEqual([ids[2], ids[0]]);
    expect(await idsOf('purpose=batch&limit=1')).toEqual([ids[2], ids[1]]);
    expect(await idsOf('owner=alice&purpose=batch')).toEqual([ids[2]]);
    expect(await idsOf('owner=nobody')).toEqual([]);
  });

  it('continues after a file that was deleted', async () => {
    const { body } = await rig.admin('GET', 'files?limit=1');
    const headers = { authorization: `Bearer ${KEYS.alice}` };
    expect((await rig.call(`/v1/files/${ids[2]}`, { method: 'DELETE', headers })).status).toBe(200);
    expect(await idsOf(`after=${encodeURIComponent(String(body['next']))}`)).toEqual([ids[1], ids[0]]);
  });
});
