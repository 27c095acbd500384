import { expect, it } from 'vitest';
import { errorTopic, openAiFailure, openAiDecision } from './openai-error.ts';

it.each([
  [
    'moderated',
    ['moderation_blocked', 'content_policy_violation', 'DataInspectionFailed', 'InputTextSensitiveContentDetected'],
  ],
  ['balance', ['insufficient_quota', 'insufficient_user_quota', 'insufficient_balance', 'billing_hard_limit_reached']],
  ['invalid', ['invalid_size', 'invalid_request_error']],
  ['other', ['rate_limit_exceeded', 'server_error', 'insufficient_permissions', 'task_failed']],
])('%s is decided by code', (topic, codes) => {
  expect(codes.map((code) => errorTopic({ code }))).toEqual(codes.map(() => topic));
});

it('ignores the message', () => {
  expect(errorTopic({ message: 'moderation_blocked insufficient_quota' })).toBe('other');
});

it('uses the type if the code is unknown', () => {
  expect(errorTopic({ code: 'x', type: 'content_policy' })).toBe('moderated');
});

const code = (name: string) => ({ code: name });

it.each([
  [400, code('invalid_value'), 'invalid'],
  [404, undefined, 'invalid'],
  [405, undefined, 'invalid'],
  [413, undefined, 'invalid'],
  [415, undefined, 'invalid'],
  [422, undefined, 'invalid'],
  [400, code('content_policy_violation'), 'moderated'],
  [403, code('moderation_blocked'), 'moderated'],
  [401, code('moderation_blocked'), 'credential'],
  [403, undefined, 'credential'],
  [400, code('billing_hard_limit_reached'), 'balance'],
  [402, undefined, 'balance'],
  [429, code('insufficient_quota'), 'balance'],
  [429, code('rate_limit_exceeded'), 'busy'],
  [503, code('insufficient_quota'), 'unavailable'],
  [409, code('moderation_blocked'), 'unknown'],
  [200, code('moderation_blocked'), 'unknown'],
  [500, code('invalid_value'), 'unknown'],
] as const)('HTTP %i %o is %s', (status, error, decision) => {
  expect(openAiDecision(status, error)).toBe(decision);
});

it.each([
  ['moderation_blocked', 'content_policy'],
  ['invalid_size', 'invalid_request'],
  ['insufficient_quota', 'provider_quota'],
  ['server_error', 'provider_error'],
])('maps the failure %s to %s', (name, failure) => {
  expect(openAiFailure(code(name))).toBe(failure);
});
