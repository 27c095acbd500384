import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './load/load-config.ts';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'sluice-config-'));
});
afterEach(() => rm(cwd, { recursive: true }));

async function load(key: string, price = '{}') {
  const text = `keys:
  - { name: team, key: sk-team-key, ${key} }
upstreams:
  acme: { kind: videos, base_url: "http://a.test/v1", api_key: k }
models:
  - { id: clip, routes: [{ upstream: acme, model: f }], price: ${price} }
`;
  await writeFile(path.join(cwd, 'sluice.yaml'), text);
  return loadConfig({ env: {}, cwd });
}

describe('limits, budgets, and prices of a file', () => {
  it('are read as written', async () => {
    const config = await load('limits: { rpm: 5 }, budget: { usd: 0.5 }', '{ video_second: 0.1 }');
    expect(config.keys[0]).toMatchObject({ limits: { rpm: 5 }, budget: { usd: 0.5, period: 'month' } });
    expect(config.models[0]?.price).toEqual({ video_second: 0.1 });
  });

  it.each([
    ['limits: { rpm: 0 }', '{}', /^sluice\.yaml:2:\d+ keys\[0\]\.limits\.rpm: /],
    [
      'limits: { tmp: 5 }',
      '{}',
      /^sluice\.yaml:2:\d+ keys\[0\]\.limits\.tmp: is not a known field; did you mean `tpm`\?/,
    ],
    ['limits: { open_tasks: 1.5 }', '{}', /^sluice\.yaml:2:\d+ keys\[0\]\.limits\.open_tasks: /],
    ['budget: { period: day }', '{}', /^sluice\.yaml:2:\d+ keys\[0\]\.budget\.usd: /],
    ['budget: { usd: 5, period: week }', '{}', /^sluice\.yaml:2:\d+ keys\[0\]\.budget\.period: /],
    ['strict: true', '{ input: -1 }', /^sluice\.yaml:6:\d+ models\[0\]\.price\.input: /],
    [
      'strict: true',
      '{ inptu: 1 }',
      /^sluice\.yaml:6:\d+ models\[0\]\.price\.inptu: is not a known field; did you mean `input`\?/,
    ],
  ])('are rejected with line and field: %s %s', async (key, price, message) => {
    await expect(load(key, price)).rejects.toThrow(message);
  });
});
