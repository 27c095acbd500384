import { expect, it } from 'vitest';
import { apiKeyOf, keyHeaderOf } from './api-key.ts';

const ACCOUNT = { kind: 'some-kind', base_url: 'https://vendor.example' };

it('returns the API key or throws', () => {
  expect(apiKeyOf({ ...ACCOUNT, api_key: 'key-1' })).toBe('key-1');
  expect(() => apiKeyOf(ACCOUNT)).toThrow('an upstream of kind some-kind needs an api_key');
  expect(keyHeaderOf({ ...ACCOUNT, api_key: 'key-1' })).toEqual({ authorization: 'Bearer key-1' });
  expect(keyHeaderOf({ ...ACCOUNT, base_url: 'https://a.openai.azure.com', api_key: 'k' })).toEqual({ 'api-key': 'k' });
  expect(keyHeaderOf(ACCOUNT)).toEqual({});
});
