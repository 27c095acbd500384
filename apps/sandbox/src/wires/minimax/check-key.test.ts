import { expect, it } from 'vitest';
import { checkKey } from './check-key.ts';
import { v1Error } from './v1-error.ts';

function verdict(authorization?: string): unknown {
  try {
    checkKey({ headers: { authorization } }, { apiKey: 'sk-1' }, v1Error);
    return 'ok';
  } catch (error) {
    return Object(error).body('').base_resp.status_code;
  }
}

it('checkKey tells a missing key from a wrong one', () => {
  expect(verdict('Bearer sk-1')).toBe('ok');
  expect(verdict()).toBe(1004);
  expect(['Bearer sk-2', 'sk-1', ''].map(verdict)).toEqual([2049, 2049, 2049]);
});
