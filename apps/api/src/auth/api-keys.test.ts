import { hashSecret } from '@sluice/access';
import { type Config, ConfigSchema } from '@sluice/config';
import { describe, expect, it } from 'vitest';
import { buildApiKeys } from './api-keys.ts';

function keys(...written: unknown[]): Config['keys'] {
  return ConfigSchema.parse({ keys: written }).keys;
}

const findByHash = buildApiKeys(
  keys(
    { name: 'all', key: 'sk-all-models' },
    { name: 'few', key: 'sk-few-models', models: ['video', 'sora-*', 'a.b+c'] },
    { name: 'none', key: 'sk-no-models', models: [], strict: true, vendor_references: true },
  ),
);
const find = (credential: string) => findByHash(hashSecret(credential));

describe('buildApiKeys', () => {
  it('finds a client by its full key only', () => {
    expect(find('sk-all-models')?.name).toBe('all');
    for (const wrong of ['', 'sk-all-model', 'sk-all-models ', 'SK-ALL-MODELS', 'all'])
      expect(find(wrong)).toBeUndefined();
  });

  it('allows every model for a key without a model list', () => {
    expect(find('sk-all-models')?.allows('anything')).toBe(true);
    expect(find('sk-no-models')?.allows('anything')).toBe(false);
  });

  it.each([
    ['video', true],
    ['videos', false],
    ['sora-', true],
    ['sora-2', true],
    ['my-sora-2', false],
    ['a.b+c', true],
    ['axbbc', false],
  ])('for a key with a model list, checks %s: %s', (model, allowed) => {
    expect(find('sk-few-models')?.allows(model)).toBe(allowed);
  });

  it('defaults to lenient mode and no vendor references', () => {
    expect(find('sk-all-models')).toMatchObject({ strict: false, mayUseVendorReferences: false });
    expect(find('sk-no-models')).toMatchObject({ strict: true, mayUseVendorReferences: true });
  });

  it('stays fast on names crafted to be slow', () => {
    const slow = buildApiKeys(keys({ name: 'slow', key: 'sk-slow-slow', models: ['*a*a*a*a*a*a*b'] }))(
      hashSecret('sk-slow-slow'),
    );
    expect(slow?.allows('a'.repeat(100_000))).toBe(false);
  });
});
