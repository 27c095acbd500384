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

it('keeps the query of the base URL', () => {
  expect(versioned('https://google.test/?a=b')).toBe('https://google.test/v1beta?a=b');
});
