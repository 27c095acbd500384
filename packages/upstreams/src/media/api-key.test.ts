import { expect, it } from 'vitest';
import { apiKeyOf, bearerOf } from './api-key.ts';

const ACCOUNT = { kind: 'some-kind', base_url: 'https://vendor.example' };

it('returns the API key or throws', () => {
  expect(apiKeyOf({ ...ACCOUNT, api_key: 'key-1' })).toBe('key-1');
  expect(() => apiKeyOf(ACCOUNT)).toThrow('an upstream of kind some-kind needs an api_key');
  expect(bearerOf({ ...ACCOUNT, api_key: 'key-1' })).toEqual({ authorization: 'Bearer key-1' });
  expect(bearerOf(ACCOUNT)).toEqual({});
});
