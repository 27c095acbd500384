import { expect, it } from 'vitest';
import { cohereRefusal } from './refusal.ts';

it.each([
  [400, 'invalid request: texts', 'invalid'],
  [401, 'invalid api token', 'credential'],
  [402, 'please add a payment method', 'balance'],
  [404, 'model not found', 'invalid'],
  [429, 'Please wait and try again later', 'busy'],
  [429, 'You are using a Trial key, which is limited to 1000 API calls / month.', 'balance'],
  [500, 'internal server error', 'unknown'],
  [503, 'service unavailable', 'unavailable'],
])('maps %d with %j to %s', (status, message, decision) => {
  expect(cohereRefusal({ status, body: { id: '1', message } })).toEqual({ decision, text: message });
  expect(cohereRefusal({ status, body: '<html>' }).text).toBeUndefined();
});
