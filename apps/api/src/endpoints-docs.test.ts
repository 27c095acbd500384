import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig } from '../test/api-rig.ts';
import { CONTRACT_CALLS } from '../test/contract-calls.ts';
import { endpointsPage } from '../test/endpoints-page.ts';

const DOCS = path.resolve(import.meta.dirname, '../../../docs');

describe('docs/use/endpoints.md', () => {
  it('lists the endpoints of the code', () => {
    const file = path.join(DOCS, 'use/endpoints.md');
    if (process.env['SLUICE_GOLDEN'] === 'write') writeFileSync(file, endpointsPage());
    expect(endpointsPage()).toBe(readFileSync(file, 'utf8'));
  });
});

const CONTRACT = CONTRACT_CALLS.map((call) => {
  const [method = '', at = ''] = call.split(' ');
  return { method, at };
});

describe('the interface contract', () => {
  let rig: ApiRig;
  beforeAll(async () => {
    rig = await apiRig();
  });
  afterAll(() => rig.close());

  it('has 29 calls', () => {
    expect(CONTRACT_CALLS).toHaveLength(29);
  });

  // An unknown path returns 404 before authentication.
  it.each(CONTRACT)('$method $at requires a key, and is served with one', async ({ method, at }) => {
    const called = at.replaceAll(/\{\w+\}/g, 'x');
    expect((await fetch(rig.origin + called, { method })).status).toBe(401);
    const response = await rig.call(called, { method });
    expect([404, 405, 500, 501].filter((status) => status === response.status && !at.includes('{task_id}'))).toEqual(
      [],
    );
    expect(await response.text()).not.toMatch(/There is no (GET|POST)/);
  });

  it.each(CONTRACT)('$method $at is in the list of endpoints', ({ method, at }) => {
    expect(endpointsPage()).toContain(`| \`${method} ${at}\` |`);
  });
});
