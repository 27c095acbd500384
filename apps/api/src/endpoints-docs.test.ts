import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig } from '../test/api-rig.ts';
import { endpointsPage } from '../test/endpoints-page.ts';

const DOCS = path.resolve(import.meta.dirname, '../../../docs');

describe('docs/use/endpoints.md', () => {
  it('tells what the code serves', () => {
    const file = path.join(DOCS, 'use/endpoints.md');
    if (process.env['SLUICE_GOLDEN'] === 'write') writeFileSync(file, endpointsPage());
    expect(endpointsPage()).toBe(readFileSync(file, 'utf8'));
  });
});

const OWED = [...readFileSync(path.join(DOCS, 'use/interface.md'), 'utf8').matchAll(/^\| `(GET|POST) (\S+)` \|/gm)].map(
  ([, method = '', at = '']) => ({ method, at }),
);

describe('docs/use/interface.md', () => {
  let rig: ApiRig;
  beforeAll(async () => {
    rig = await apiRig();
  });
  afterAll(() => rig.close());

  it('owes what it should', () => {
    expect(OWED.length).toBe(29);
  });

  // A path that is missing answers 404 before anybody is asked who is calling.
  it.each(OWED)('is kept: $method $at asks who is calling, and serves who says so', async ({ method, at }) => {
    const called = at.replaceAll(/\{\w+\}/g, 'x');
    expect((await fetch(rig.origin + called, { method })).status).toBe(401);
    const response = await rig.call(called, { method });
    expect([404, 405, 500, 501].filter((status) => status === response.status && !at.includes('{task_id}'))).toEqual(
      [],
    );
    expect(await response.text()).not.toMatch(/There is no (GET|POST)/);
  });

  it.each(OWED)('stands among the endpoints: $method $at', ({ method, at }) => {
    expect(endpointsPage()).toContain(`| \`${method} ${at}\` |`);
  });
});
