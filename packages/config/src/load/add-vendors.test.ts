import { describe, expect, it } from 'vitest';
import { addVendors } from './add-vendors.ts';
import { ConfigSchema } from '../schema/schema.ts';
import { keyed, modelOf, type WellKnownVendor } from '@sluice/vendors';

const acme = (more: object): WellKnownVendor => ({
  upstreams: { acme: { kind: 'provider-a', base_url: 'http://acme', ...more } },
  models: [modelOf('acme-*', 'acme')],
});
const BY_PAIR = acme({ access_key: '${ACME_AK}', secret_key: '${ACME_SK}' });
const BY_KEY = acme({ api_key: '${ACME_KEY}' });

function add(env: Record<string, string>, vendors = [BY_PAIR, BY_KEY], settings: object = {}) {
  const { settings: extended, unset } = addVendors(ConfigSchema.parse(settings), vendors, env);
  return { ...extended, unset };
}

describe('addVendors', () => {
  it('skips a vendor without any of its variables silently', () => {
    expect(add({})).toMatchObject({ upstreams: {}, models: [], unset: [] });
  });

  it('adds a vendor whose variables are set', () => {
    const { upstreams, models, unset } = add({ ACME_AK: 'a', ACME_SK: 's' });
    expect(upstreams).toMatchObject({ acme: { kind: 'provider-a', access_key: 'a', secret_key: 's' } });
    expect(models).toMatchObject([{ id: 'acme-*', routes: [{ upstream: 'acme', model: 'acme-*' }] }]);
    expect(unset).toEqual([]);
  });

  it('uses the first complete one of two vendors with the same name, and adds its models once', () => {
    const both = add({ ACME_AK: 'a', ACME_SK: 's', ACME_KEY: 'k' });
    expect([both.upstreams['acme']?.access_key, both.upstreams['acme']?.api_key]).toEqual(['a', undefined]);
    expect(both.models).toHaveLength(1);
    const half = add({ ACME_AK: 'a', ACME_KEY: 'k' });
    expect([half.upstreams['acme']?.access_key, half.upstreams['acme']?.api_key]).toEqual([undefined, 'k']);
    expect([half.models.length, half.unset]).toEqual([1, []]);
  });

  it('reports the missing half of a pair', () => {
    const { upstreams, unset } = add({ ACME_SK: 's' });
    expect(Object.keys(upstreams)).toEqual(['acme']);
    expect(unset).toEqual([{ path: ['upstreams', 'acme', 'access_key'], variable: 'ACME_AK' }]);
  });

  it('skips a vendor whose address is not set', () => {
    const vendor: WellKnownVendor = {
      upstreams: { acme: keyed('responses', '${ACME_URL}/v1', 'ACME_KEY') },
      models: [modelOf('acme-*', 'acme')],
    };
    expect(add({ ACME_KEY: 'k' }, [vendor])).toMatchObject({ upstreams: {}, unset: [] });
    expect(add({ ACME_URL: 'https://acme' }, [vendor]).unset).toMatchObject([{ variable: 'ACME_KEY' }]);
    const { upstreams } = add({ ACME_URL: 'https://acme', ACME_KEY: 'k' }, [vendor]);
    expect(upstreams['acme']?.base_url).toBe('https://acme/v1');
  });

  it('keeps a name that the settings define', () => {
    const other: WellKnownVendor = {
      upstreams: { other: keyed('videos', 'http://other', 'ACME_KEY') },
      models: [modelOf('clip', 'other')],
    };
    const own = { kind: 'messages', base_url: 'http://own' };
    const models = [{ id: 'clip', routes: [{ upstream: 'acme', model: 'own' }] }];
    const config = add({ ACME_KEY: 'k' }, [other, BY_KEY], { upstreams: { acme: own }, models });
    expect(config.upstreams).toMatchObject({ acme: own, other: { kind: 'videos' } });
    expect(config.models.map(({ id, routes }) => [id, routes[0]?.model])).toEqual([
      ['clip', 'own'],
      ['acme-*', 'acme-*'],
    ]);
  });
});
