import { expect, it } from 'vitest';
import { checkKey } from './check-key.ts';
import { v1Error } from './v1-error.ts';

function decision(authorization?: string): unknown {
  try {
    checkKey({ headers: { authorization } }, { apiKey: 'sk-1' }, v1Error);
    return 'ok';
  } catch (error) {
    return Object(error).body('').base_resp.status_code;
  }
}

it('checkKey distinguishes a missing key from a wrong one', () => {
  expect(decision('Bearer sk-1')).toBe('ok');
  expect(decision()).toBe(1004);
  expect(['Bearer sk-2', 'sk-1', ''].map(decision)).toEqual([2049, 2049, 2049]);
});
