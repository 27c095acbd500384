import { describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';
import { secretsOf } from './secrets-of.ts';

describe('secretsOf', () => {
  it('names every key and credential of the configuration', async () => {
    const config = await loadConfig({
      env: { SLUICE_KEY: 'sk-mine-0001', SLUICE_SANDBOX_KEY: 'sk-vendor-2' },
      cwd: '/',
    });
    expect(secretsOf(config)).toEqual(['sk-mine-0001', 'sk-vendor-2']);
  });
});
