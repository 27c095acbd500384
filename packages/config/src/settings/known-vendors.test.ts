import { describe, expect, it } from 'vitest';
import { knownVendors } from './known-vendors.ts';

const find = (name: string) => knownVendors().filter((vendor) => vendor.name === name);

describe('knownVendors', () => {
  it('names a variable of several upstreams once', () => {
    expect(find('openai')).toMatchObject([
      { variables: ['OPENAI_API_KEY'], upstreams: { openai: { api_key: '${OPENAI_API_KEY}' }, 'openai-r': {} } },
    ]);
  });

  it('has an entry for each kind of credential', () => {
    expect(find('kling').map(({ variables }) => variables)).toEqual([['KLING_API_KEY'], ['KLING_AK', 'KLING_SK']]);
  });

  it('has no vendor whose address is in a variable', () => {
    expect(find('azure')).toEqual([]);
  });

  it('has only vendors with a name and a variable', () => {
    expect(knownVendors().filter(({ name, variables }) => name === '' || variables.length === 0)).toEqual([]);
  });
});
