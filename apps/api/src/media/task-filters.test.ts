import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

/** Without workers, so that every task stays queued. */
let rig: ApiRig;
beforeEach(async () => {
  rig = await apiRig();
});
afterEach(() => rig.close());

interface Page {
  data: { id: string }[];
  has_more: boolean;
}

async function list(query: string, key = KEYS.alice): Promise<Page> {
  const response = await rig.call(query, { headers: { authorization: `Bearer ${key}` } });
  expect([response.status, query]).toEqual([200, query]);
  return (await response.json()) as Page;
}

async function ids(query: string, key?: string): Promise<string[]> {
  return (await list(query, key)).data.map(({ id }) => id);
}

async function createdId(fields: object, key = KEYS.alice): Promise<string> {
  const response = await rig.create({ prompt: 'a kite', ...fields }, {}, key);
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}

function postForm(user: string): Promise<Response> {
  const data = new FormData();
  const fields = { prompt: 'a kite', user, 'labels[project]': 'kites', priority: '-3' };
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  const headers = { authorization: `Bearer ${KEYS.alice}`, 'idempotency-key': 'k1' };
  return rig.call('/v1/videos', { method: 'POST', body: data, headers });
}

describe('user and labels of a video', () => {
  const own = { user: 'ana', labels: { project: 'kites', stage: 'draft' }, priority: 5 };

  it('are in every view of the video, and absent unless they are set', async () => {
    const id = await createdId(own);
    for (const path of [`/v1/videos/${id}`, `/v1/video/generations/${id}`, `/v1/tasks/${id}`]) {
      expect(await list(path)).toMatchObject(own);
    }
    const plain = await list(`/v1/videos/${await createdId({})}`);
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['user']));
    expect(plain).not.toHaveProperty('labels');
    expect(plain).not.toHaveProperty('priority');
  });

  it.each(['/v1/videos', '/v1/tasks'])('filter %s for the key that created it', async (path) => {
    const first = await createdId(own);
    const second = await createdId({ user: 'ana', labels: { project: 'boats' } });
    const third = await createdId({ user: 'ben', labels: { project: 'kites' } });
    await createdId({});
    await createdId(own, KEYS.bob);

    expect(await ids(`${path}?user=ana`)).toEqual([second, first]);
    expect(await ids(`${path}?labels[project]=kites`)).toEqual([third, first]);
    expect(await ids(`${path}?user=ana&labels[project]=kites`)).toEqual([first]);
    expect(await ids(`${path}?labels[project]=kites&labels[stage]=draft&status=queued`)).toEqual([first]);
    expect(await ids(`${path}?user=ana&status=failed`)).toEqual([]);
    expect(await ids(`${path}?user=ANA`)).toEqual([]);
    expect(await ids(`${path}?labels[project]=ana`)).toEqual([]);
  });

  it('survive paging, and end with the video', async () => {
    const created: string[] = [];
    for (let i = 0; i < 5; i++) {
      created.push(await createdId({ user: 'ana' }));
      await createdId({ user: 'ben' });
    }
    const seen: string[] = [];
    for (let more = true; more;) {
      const after = seen.length > 0 ? `&after=${seen.at(-1)}` : '';
      const page = await list(`/v1/videos?user=ana&order=asc&limit=2${after}`);
      seen.push(...page.data.map(({ id }) => id));
      more = page.has_more;
    }
    expect(seen).toEqual(created);

    const [first = '', second = ''] = created;
    await rig.call(`/v1/videos/${second}/cancel`, { method: 'POST' });
    expect(await ids('/v1/videos?user=ana&status=failed')).toEqual([second]);
    await rig.call(`/v1/videos/${first}`, { method: 'DELETE' });
    expect(await ids('/v1/videos?user=ana&order=asc')).toEqual(created.slice(1));
  });

  it('can be sent in a form, and belong to the idempotent request', async () => {
    const created = await postForm('ana');
    expect(await created.json()).toMatchObject({ user: 'ana', labels: { project: 'kites' }, priority: -3 });
    expect((await postForm('ben')).status).toBe(422);
  });
});
