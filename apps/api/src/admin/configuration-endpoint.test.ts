import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Config, loadConfig } from '@sluice/config';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { ConfigurationSchema } from './configuration-endpoint.ts';

const SECRET = 'vendor-key-secret';
const acme = { kind: 'chat-completions', base_url: 'http://127.0.0.1:9/v1', api_key: SECRET };

let rig: AdminRig;
let dir: string;
/** Reads the file's configuration, of which the running one is the base. */
let readConfig: (running: Config) => Promise<Config>;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-configuration-'));
  readConfig = async (running) => running;
  rig = await adminRig({ config: { upstreams: { acme } }, readConfig: (running) => readConfig(running) });
});
afterEach(async () => {
  await rig.close();
  await rm(dir, { recursive: true, force: true });
});

async function configuration() {
  const { status, body } = await rig.admin('GET', 'configuration');
  expect(status).toBe(200);
  const text = JSON.stringify(body);
  for (const secret of [SECRET, ...Object.values(KEYS)]) expect(text).not.toContain(secret);
  return ConfigurationSchema.parse(body);
}

describe('GET /admin/v1/configuration', () => {
  it('returns the configuration without secrets', async () => {
    const { state, running, changes, issues } = await configuration();
    expect({ state, changes, issues }).toEqual({ state: 'current', changes: [], issues: [] });
    expect(running).toMatchObject({ upstreams: { acme: { ...acme, api_key: '(secret)' } } });
  });

  it('lists the fields of a changed file, without the values of changed secrets', async () => {
    readConfig = async (running) => {
      const changed = structuredClone(running);
      const { acme: upstream } = changed.upstreams;
      if (!upstream) throw new Error('The upstream is missing.');
      upstream.api_key = 'another-vendor-secret';
      upstream.base_url = 'http://user:password@127.0.0.1:10/v1';
      changed.limits.json_bytes = 5_000;
      changed.models = changed.models.filter(({ id }) => id !== 'clip');
      return changed;
    };
    const { state, changes, issues } = await configuration();
    expect([state, issues]).toEqual(['changed', []]);
    const paths = changes.map((change) => change.path);
    expect(paths).toEqual(['upstreams.acme.base_url', 'upstreams.acme.api_key', 'models[clip]', 'limits.json_bytes']);
    expect(changes).toContainEqual({ path: 'limits.json_bytes', running: expect.any(Number), file: 5_000 });
    expect(changes).toContainEqual({
      path: 'upstreams.acme.api_key',
      running: '(secret)',
      file: '(another secret)',
    });
    const text = JSON.stringify(changes);
    expect(text).not.toContain('another-vendor-secret');
    expect(text).not.toContain('password@');
    expect(changes.find((change) => change.path === 'models[clip]')).not.toHaveProperty('file');
  });

  it('names file, line, problem, and remedy of an invalid file', async () => {
    const file = path.join(dir, 'sluice.yaml');
    const read = () => loadConfig({ env: { SLUICE_CONFIG: file }, cwd: dir });
    await writeFile(file, 'keys:\n  - name: a\n    key: a-long-secret-key\nlog:\n  level: inof\nserver:\n  hots: x\n');
    readConfig = read;
    const { state, changes, issues, running } = await configuration();
    expect([state, changes]).toEqual(['invalid', []]);
    expect(issues).toEqual([
      {
        where: `${file}:7:3`,
        field: 'server.hots',
        wrong: 'is not a known field',
        remedy: expect.stringContaining('did you mean `host`?'),
      },
      {
        where: `${file}:5:10`,
        field: 'log.level',
        wrong: '`inof` is not a known value',
        remedy: 'did you mean `info`?',
      },
    ]);
    expect(running).toHaveProperty('upstreams');
    await rm(file);
    expect(await configuration()).toMatchObject({
      state: 'invalid',
      issues: [{ where: 'SLUICE_CONFIG', field: '', wrong: `${file} does not exist` }],
    });
  });

  it('shows what is wrong in a file that is not YAML', async () => {
    const file = path.join(dir, 'sluice.yaml');
    await writeFile(file, 'keys: [\n');
    readConfig = () => loadConfig({ env: { SLUICE_CONFIG: file }, cwd: dir });
    const { state, issues } = await configuration();
    expect(state).toBe('invalid');
    expect(issues[0]?.where).toMatch(/sluice\.yaml:\d+:\d+$/);
  });
});
