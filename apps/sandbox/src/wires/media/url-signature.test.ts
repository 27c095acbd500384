import { expect, it } from 'vitest';
import { isSigned, signPath } from './url-signature.ts';

it('a signature is bound to secret, path and expiry', () => {
  const signature = signPath('secret', '/a', '1');
  expect(isSigned('secret', '/a', '1', signature)).toBe(true);
  expect(isSigned('other', '/a', '1', signature)).toBe(false);
  expect(isSigned('secret', '/b', '1', signature)).toBe(false);
  expect(isSigned('secret', '/a', '2', signature)).toBe(false);
  expect(isSigned('secret', '/a', '1', '')).toBe(false);
});
