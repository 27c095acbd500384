import { expect, it } from 'vitest';
import { versioned, versionedPath } from './google-base.ts';

it.each([
  ['', '/v1beta'],
  ['/v1', '/v1'],
  ['/proxy/v1alpha', '/proxy/v1alpha'],
  ['/proxy', '/proxy/v1beta'],
])('the base %j gets a version: %s', (path, withVersion) => {
  expect(versionedPath(path)).toBe(withVersion);
});

it('keeps all other settings of an account', () => {
  const account = { kind: 'veo', base_url: 'https://google.test/?a=b', api_key: 'k' };
  expect(versioned(account)).toEqual({ ...account, base_url: 'https://google.test/v1beta?a=b' });
});
