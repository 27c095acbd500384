import { expect, it } from 'vitest';
import { failureCode, decisionOf } from './errors.ts';

it.each([
  ['NSFW content detected. Try running it again, or try a different prompt.', 'content_policy'],
  ['All generated images contained NSFW content.', 'content_policy'],
  ['The input or output was flagged as sensitive. Please try again with different inputs. (E005)', 'content_policy'],
  ['Your request was rejected as a result of our safety system.', 'content_policy'],
  ['The prompt violates our usage guidelines', 'content_policy'],
  ['Blocked by content moderation', 'content_policy'],
  ['Prediction interrupted; please retry (code: PA)', 'provider_error'],
  ['Model ran out of memory (E1001)', 'provider_error'],
  ['names are case-sensitive', 'provider_error'],
  [undefined, 'provider_error'],
])('%j is %s', (error, code) => {
  expect(failureCode(error)).toBe(code);
});

it.each([
  [400, 'The prompt was flagged as sensitive. (E005)', 'moderated'],
  [422, '- input.duration: must be one of the following: 5, 10', 'invalid'],
  [401, 'You did not pass a valid authentication token', 'credential'],
  [403, 'flagged', 'credential'],
  [402, 'You have insufficient credit to run this model.', 'balance'],
  [404, 'The requested resource could not be found.', 'invalid'],
  [409, undefined, 'unknown'],
  [429, 'Request was throttled. Your rate limit resets in ~30s.', 'busy'],
  [500, 'flagged as sensitive', 'unknown'],
  [502, undefined, 'unknown'],
  [504, undefined, 'unknown'],
  [503, undefined, 'unavailable'],
] as const)('HTTP %i %j is %s', (status, detail, decision) => {
  expect(decisionOf(status, detail)).toBe(decision);
});
