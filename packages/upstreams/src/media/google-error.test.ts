import { expect, it } from 'vitest';
import { googleDelay, googleDecision } from './google-error.ts';

it.each([
  [400, 'INVALID_ARGUMENT', 'Unknown name "x"', 'invalid'],
  [400, 'INVALID_ARGUMENT', 'The prompt is blocked by safety settings', 'moderated'],
  [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', 'credential'],
  [400, 'INVALID_ARGUMENT', "Invalid value at 'safety_settings[0].threshold' (type.googleapis.com/x), 9", 'invalid'],
  [
    400,
    'INVALID_ARGUMENT',
    'Invalid JSON payload received. Unknown name "contentPolicy": Cannot find field.',
    'invalid',
  ],
  [400, 'INVALID_ARGUMENT', '`safetySettings` is not supported by this model', 'invalid'],
  [400, 'INVALID_ARGUMENT', 'personGeneration.policy is not supported', 'invalid'],
  [400, 'INVALID_ARGUMENT', 'Unsupported value for policy', 'invalid'],
  [400, 'INVALID_ARGUMENT', "Invalid value for 'prompt': it violates our usage policies", 'moderated'],
  [400, 'INVALID_ARGUMENT', 'The prompt violates our safety policies', 'moderated'],
  [400, 'FAILED_PRECONDITION', 'Please enable billing', 'balance'],
  [400, 'FAILED_PRECONDITION', 'User location is not supported', 'credential'],
  [400, 'FAILED_PRECONDITION', 'Prohibited by policy', 'moderated'],
  [401, 'UNAUTHENTICATED', 'why', 'credential'],
  [403, 'PERMISSION_DENIED', 'why', 'credential'],
  [404, 'NOT_FOUND', 'models/x is not found', 'invalid'],
  [429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.', 'busy'],
  [429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.', 'balance'],
  [500, 'INTERNAL', 'blocked by safety', 'unknown'],
  [503, 'UNAVAILABLE', 'The model is overloaded.', 'unavailable'],
  [504, 'DEADLINE_EXCEEDED', 'why', 'unknown'],
] as const)('HTTP %i %s %j is %s', (code, status, message, decision) => {
  expect(googleDecision(code, { code, status, message })).toBe(decision);
});

it('maps a refused key by its reason, whatever the text', () => {
  expect(googleDecision(400, { details: [{}, { reason: 'API_KEY_INVALID' }] })).toBe('credential');
  expect(googleDecision(400, undefined)).toBe('invalid');
});

it('returns the retry delay', () => {
  expect(googleDelay({ details: [{ reason: 'x' }, { retryDelay: '1.5s' }] })).toEqual({ retryAfterMs: 1500 });
  expect(googleDelay({ details: [{ retryDelay: 'soon' }] })).toEqual({});
  expect(googleDelay(undefined)).toEqual({});
});
