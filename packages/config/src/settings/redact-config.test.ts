import { describe, expect, it } from 'vitest';
import { type Config, ConfigSchema } from '../schema/schema.ts';
import { configChanges, redactConfig } from './redact-config.ts';

const SECRETS = [
  'sk-client-secret',
  'the admin key of all',
  'vendor-key-secret',
  'Bearer header-secret',
  'postgres-password',
  'redis-password',
  'oidc-client-secret',
];

const SETTINGS = {
  server: { admin_key: SECRETS[1] },
  redis: { url: `redis://user:${SECRETS[5]}@redis:6379` },
  ledger: { url: `postgres://user:${SECRETS[4]}@db/sluice` },
  console: {
    oidc: { issuer: 'https://id.test', client_id: 'c', client_secret: SECRETS[6], roles: { admin: ['a'] } },
  },
  keys: [{ name: 'app', key: SECRETS[0] }],
  upstreams: {
    acme: {
      kind: 'chat-completions',
      base_url: 'https://acme.example/v1',
      api_key: SECRETS[2],
      headers: { 'x-auth': SECRETS[3] },
    },
  },
  models: [
    { id: 'a', routes: [{ upstream: 'acme', model: 'large' }], price: { input: 1 } },
    { id: 'b', routes: [{ upstream: 'acme', model: 'small' }] },
  ],
};

type Edit = (settings: typeof SETTINGS) => void;

/** A configuration with a changed copy of the settings. */
function config(edit: Edit = () => undefined): Config {
  const copy = structuredClone(SETTINGS);
  edit(copy);
  const parsed = ConfigSchema.parse(copy);
  return { ...parsed, dataDir: '/data', contentDir: '/data/content', disabledUpstreams: [], disabledModels: [] };
}

const changesOf = (edit: Edit) => configChanges(config(), config(edit));

describe('redactConfig', () => {
  it('has all fields, but no secret', () => {
    const shown = redactConfig(config());
    expect(shown).toMatchObject({
      keys: [{ name: 'app', key: '(secret)' }],
      redis: { url: 'redis://redis:6379' },
      upstreams: {
        acme: { base_url: 'https://acme.example/v1', api_key: '(secret)', headers: { 'x-auth': '(secret)' } },
      },
      models: [{ id: 'a', price: { input: 1 } }, { id: 'b' }],
    });
    for (const secret of SECRETS) expect(JSON.stringify(shown)).not.toContain(secret);
  });

  it('hides a secret that is in another field', () => {
    const shown = redactConfig(
      config(({ models }) => void models.push({ id: 'c', routes: [{ upstream: 'acme', model: `x-${SECRETS[2]}` }] })),
    );
    expect(JSON.stringify(shown)).not.toContain(SECRETS[2]);
  });
});

describe('configChanges', () => {
  it('is empty for the same settings', () => {
    expect(configChanges(config(), config())).toEqual([]);
  });

  it('names entries of lists by their id', () => {
    expect(
      changesOf(
        ({ models }) =>
          void models.splice(0, 1, { id: 'a', routes: [{ upstream: 'acme', model: 'large' }], price: { input: 2 } }),
      ),
    ).toEqual([{ path: 'models[a].price.input', before: 1, after: 2 }]);
  });

  it('lists added and removed entries as a whole', () => {
    const changes = changesOf((settings) => {
      settings.models.splice(1, 1, { id: 'c', routes: [{ upstream: 'acme', model: 'tiny' }] });
    });
    expect(changes).toMatchObject([
      { path: 'models[b]', before: { id: 'b' }, after: undefined },
      { path: 'models[c]', before: undefined, after: { id: 'c' } },
    ]);
  });

  it('lists a changed secret without its values', () => {
    const changes = changesOf((settings) => {
      settings.keys = [{ name: 'app', key: 'sk-client-changed' }];
      settings.redis.url = 'redis://user:changed-password@redis:6379';
    });
    expect(changes).toEqual([
      { path: 'redis.url', before: 'redis://redis:6379', after: '(another secret)' },
      { path: 'keys[app].key', before: '(secret)', after: '(another secret)' },
    ]);
  });

  it('lists a changed order, because the first pattern applies', () => {
    expect(changesOf((settings) => (settings.models = settings.models.toReversed()))).toMatchObject([
      { path: 'models' },
    ]);
  });
});
