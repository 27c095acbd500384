import { expect, it } from 'vitest';
import { failureOf, decisionOf } from './errors.ts';

it.each([
  ['SAFETY.INPUT.TEXT', 'content_policy'],
  ['SAFETY.INPUT.IMAGE', 'content_policy'],
  ['SAFETY.OUTPUT.VIDEO', 'content_policy'],
  ['INPUT_PREPROCESSING.SAFETY.TEXT', 'content_policy'],
  ['ASSET.INVALID', 'invalid_request'],
  ['INTERNAL.BAD_OUTPUT.CODE01', 'provider_error'],
  ['INPUT_PREPROCESSING.INTERNAL', 'provider_error'],
  ['INTERNAL', 'provider_error'],
  ['THIRD_PARTY.UNAVAILABLE', 'provider_error'],
  ['NEW.CODE', 'provider_error'],
  [undefined, 'provider_error'],
])("maps %s to %s with the gateway's own message", (code, expected) => {
  const failure = failureOf(code);
  expect(failure.code).toBe(expected);
  expect(failure.message).toMatch(/^The upstream/);
});

it.each([
  [400, 'Validation of body failed', 'invalid'],
  [400, 'You do not have enough credits to run this task.', 'balance'],
  [401, undefined, 'credential'],
  [404, undefined, 'invalid'],
  [429, 'You do not have enough credits', 'busy'],
  [502, undefined, 'unknown'],
  [503, undefined, 'unavailable'],
  [504, undefined, 'unknown'],
] as const)('HTTP %i %j is %s', (status, message, decision) => {
  expect(decisionOf(status, message)).toBe(decision);
});
