import { describe, expect, it } from 'vitest';
import { failureCodeOf, refusedSubmission, decisionOfStatus } from './decision.ts';

it.each([
  [400, 'invalid'],
  [404, 'invalid'],
  [405, 'invalid'],
  [413, 'invalid'],
  [415, 'invalid'],
  [422, 'invalid'],
  [401, 'credential'],
  [403, 'credential'],
  [402, 'balance'],
  [429, 'busy'],
  [503, 'unavailable'],
  [200, 'unknown'],
  [301, 'unknown'],
  [408, 'unknown'],
  [409, 'unknown'],
  [500, 'unknown'],
  [502, 'unknown'],
  [504, 'unknown'],
])('HTTP %i alone means %s', (status, decision) => {
  expect(decisionOfStatus(status)).toBe(decision);
});

describe('decision', () => {
  it.each([
    ['invalid', { kind: 'rejected', code: 'invalid_request', message: 'why' }, 'invalid_request'],
    ['moderated', { kind: 'rejected', code: 'content_policy', message: 'why' }, 'content_policy'],
    ['busy', { kind: 'busy', code: 'rate_limited', retryAfterMs: 5 }, 'provider_error'],
    ['unavailable', { kind: 'busy', code: 'provider_error', retryAfterMs: 5 }, 'provider_error'],
    ['credential', { kind: 'account', code: 'provider_auth' }, 'provider_error'],
    ['balance', { kind: 'account', code: 'provider_quota' }, 'provider_quota'],
    ['unknown', { kind: 'unknown', message: 'why' }, 'provider_error'],
  ] as const)('%s ends a submission and a task', (decision, outcome, code) => {
    expect(refusedSubmission(decision, 'why', { retryAfterMs: 5 })).toMatchObject(outcome);
    expect(failureCodeOf(decision)).toBe(code);
  });

  it.each(['busy', 'unavailable', 'credential', 'balance'] as const)('%s includes the vendor’s text', (decision) => {
    expect(refusedSubmission(decision, 'our account 4711').kind).not.toBe('rejected');
    expect(JSON.stringify(refusedSubmission(decision, 'our account 4711'))).not.toContain('4711');
  });
});
