import { describe, expect, it } from 'vitest';
import { loadConfig } from '../load/load-config.ts';
import { ConfigSchema } from '../schema/schema.ts';
import { secretsOf } from './secrets-of.ts';

describe('secretsOf', () => {
  it('lists every key and credential of the configuration', async () => {
    const config = await loadConfig({
      env: { SLUICE_KEY: 'sk-mine-0001', SLUICE_SANDBOX_KEY: 'sk-vendor-2', SLUICE_SANDBOX_ACCESS_KEY: 'ak-vendor-3' },
      cwd: '/',
    });
    expect(secretsOf(config)).toEqual(['sk-mine-0001', 'sk-vendor-2', 'ak-vendor-3']);
  });

  it('lists the password of the ledger', async () => {
    const config = await loadConfig({ env: { SLUICE_KEY: 'sk-mine-0001' }, cwd: '/' });
    const secrets = (url: string) => secretsOf({ ...config, upstreams: {}, ledger: { ...config.ledger, url } });
    expect(secrets('postgres://sluice:open%20sesame@db/sluice')).toEqual([
      'open%20sesame',
      'open sesame',
      'sk-mine-0001',
    ]);
    expect(secrets('postgres://db/sluice?password=opensesame')).toEqual(['opensesame', 'sk-mine-0001']);
  });

  it('lists the secret of the OIDC client', async () => {
    const config = await loadConfig({ env: { SLUICE_KEY: 'sk-mine-0001' }, cwd: '/' });
    const oidc = {
      issuer: 'https://id.example',
      client_id: 'c',
      client_secret: 'oidc-secret',
      roles: { admin: ['a'] },
    };
    const { console } = ConfigSchema.parse({ console: { oidc } });
    expect(secretsOf({ ...config, upstreams: {}, console })).toEqual(['oidc-secret', 'sk-mine-0001']);
  });

  it('lists the gateway secret, the admin key, and header values, but no value too short to be a credential', async () => {
    const config = await loadConfig({
      env: { SLUICE_SECRET: 'sixteen letters…', SLUICE_ADMIN_KEY: 'sixteen admirals' },
      cwd: '/',
    });
    const headers = { 'api-key': 'azure-key', authorization: 'Bearer token-one', 'x-plan': '1' };
    const upstream = { kind: 'chat-completions', base_url: 'http://a', completions: false, max_submitting: 1 } as const;
    const secrets = secretsOf({ ...config, keys: [], upstreams: { a: { ...upstream, headers } } });
    expect(secrets).toEqual(['sixteen letters…', 'sixteen admirals', 'azure-key', 'Bearer token-one', 'token-one']);
  });
});
