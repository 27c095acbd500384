import { expect, it } from 'vitest';
import { formatCredentials } from './kinds.ts';

it('formats the credentials of a kind: one field, two, an identity, or none', () => {
  expect(formatCredentials('ark')).toBe('`api_key`');
  expect(formatCredentials('tei')).toBe('`api_key`, or none');
  expect(formatCredentials('videos')).toBe('`api_key`, or `identity` (azure), or none');
  expect(formatCredentials('provider-a')).toBe('`api_key`, or `access_key` and `secret_key`');
});
