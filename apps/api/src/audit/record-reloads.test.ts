import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';

let one: AdminRig;
let other: AdminRig;
beforeAll(async () => {
  one = await adminRig();
  other = await adminRig({ prefix: one.tasks.prefix });
});
afterAll(() => Promise.all([one.close(), other.close()]));

interface Entry {
  target: string;
  reload: { trigger: string; changes: unknown[]; change_count: number };
}

async function reloads(): Promise<Entry[]> {
  const { body } = await one.admin('GET', 'audit?actor=system&limit=100');
  return body['data'] as Entry[]; // The cast is safe because the response is a page.
}

const versions = async () => (await reloads()).map(({ target }) => target);
const NOTHING = { changes: [], restart: [] };

it('adds one entry for a change that several processes apply', async () => {
  const difference = {
    changes: [
      { path: 'keys[alice].rate.rpm', before: 60, after: 120 },
      { path: 'models[new]', before: undefined, after: 'x'.repeat(600) },
    ],
    restart: ['server.port'],
  };
  one.recordReload({ trigger: 'file', from: 'v1', version: 'v2' }, difference);
  await expect.poll(versions).toEqual(['v2']);
  other.recordReload({ trigger: 'file', from: 'v1', version: 'v2' }, difference);
  other.recordReload({ trigger: 'signal', from: 'v2', version: 'v3' }, NOTHING);
  await expect.poll(versions).toEqual(['v3', 'v2']);
  const [, first] = await reloads();
  expect(first).toEqual({
    object: 'audit.entry',
    id: expect.stringMatching(/^aud_\d+-\d+-o$/),
    created_at: expect.any(Number),
    actor: { type: 'system', name: 'system' },
    operation: 'configReload',
    target: 'v2',
    reload: {
      trigger: 'file',
      changes: [{ path: 'keys[alice].rate.rpm', before: 60, after: 120 }, { path: 'models[new]' }],
      change_count: 2,
      restart: ['server.port'],
    },
  });
});

it('adds an entry for each change back and forth', async () => {
  const before = (await versions()).length;
  for (const [from, version] of [
    ['a', 'b'],
    ['b', 'a'],
    ['a', 'b'],
  ] as const) {
    const count = (await versions()).length;
    one.recordReload({ trigger: 'file', from, version }, NOTHING);
    await expect.poll(async () => (await versions()).length).toBe(count + 1);
  }
  expect((await versions()).slice(0, -before)).toEqual(['b', 'a', 'b']);
});

it('bounds the number of changes', async () => {
  const changes = Array.from({ length: 70 }, (_, at) => ({ path: `models[${at}]`, before: 1, after: 2 }));
  one.recordReload({ trigger: 'redis', from: 'x', version: 'y' }, { changes, restart: [] });
  await expect.poll(async () => (await reloads())[0]?.target).toBe('y');
  const [entry] = await reloads();
  expect([entry?.reload.changes.length, entry?.reload.change_count]).toEqual([20, 70]);
});
