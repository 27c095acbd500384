import { expect, it } from 'vitest';
import { spellCredentials } from './kind-credentials.ts';

it('spells what a kind takes, one field or two, or none', () => {
  expect(spellCredentials('ark')).toBe('`api_key`');
  expect(spellCredentials('videos')).toBe('`api_key`, or none');
  expect(spellCredentials('provider-a')).toBe('`api_key`, or `access_key` and `secret_key`');
});
