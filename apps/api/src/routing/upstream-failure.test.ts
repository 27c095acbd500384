import { GatewayError } from '@sluice/canonical';
import type { Credential } from '@sluice/limits';
import { describe, expect, it } from 'vitest';
import { AttemptError } from './attempt-error.ts';
import { restAfter } from './pools/rest-after.ts';
import { failedAttempt, scrubbedFailure } from './upstream-failure.ts';

/** Upstream errors are recognized by their name. */
function upstreamError(failure: string): Error {
  return Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { name: 'UpstreamError', failure });
}

describe('a failed upstream call', () => {
  it.each([
    ['timeout', 'deadline_exceeded', true],
    ['connect', 'provider_error', true],
    ['reset', 'provider_error', true],
    ['aborted', 'provider_error', true],
    ['too_large', 'provider_error', false],
  ] as const)('by %s is reported as %s and allows a fallback', (failure, code, retryable) => {
    const error = upstreamError(failure);
    const attempt = failedAttempt(error);
    expect(attempt).toMatchObject({ mayRetry: true, countsAsFailure: true, error: { code, retryable } });
    expect(attempt.error.message).not.toContain('10.0.0.7');
    expect(attempt.error.cause).toMatchObject({ cause: { type: 'UpstreamError', failure } });
    expect(JSON.stringify(attempt.error.cause)).not.toContain('10.0.0.7');
  });

  it('without a credential does not count, and does not take the credential out of its pool', () => {
    const attempt = failedAttempt(upstreamError('credential'));
    expect(attempt).toMatchObject({ mayRetry: true, countsAsFailure: false, isAlive: false });
    expect(attempt.error).toMatchObject({ code: 'provider_auth', retryable: true });
    const rests: unknown[] = [];
    // The cast is safe because only `restFor` is used.
    const credential = { restFor: (rest: unknown) => rests.push(rest) } as unknown as Credential;
    restAfter(credential, attempt.error, undefined);
    expect(rests).toEqual([]);
    restAfter(credential, new GatewayError('provider_auth', 'rejected'), undefined);
    expect(rests).toEqual([{ reason: 'rejected', ms: undefined }]);
  });

  it('keeps a gateway error', () => {
    const known = new GatewayError('rate_limited', 'slowly');
    expect(failedAttempt(known).error).toBe(known);
    const attempt = new AttemptError({ error: known, mayRetry: false, countsAsFailure: false });
    expect(failedAttempt(attempt)).toBe(attempt);
  });

  it('omits the vendor’s body from the log', () => {
    const { error } = failedAttempt(new GatewayError('provider_error', 'no', { cause: { of: 'org-1' } }));
    expect(JSON.stringify([error.cause, error.message])).not.toContain('org-1');
  });

  it('caused by the client allows no fallback and does not count as a failure', () => {
    const attempt = failedAttempt(new GatewayError('context_length_exceeded', 'too long'));
    expect(attempt).toMatchObject({ mayRetry: false, countsAsFailure: false });
  });

  it('by a bug leaves the circuit breaker unchanged and is hidden from the client', () => {
    const bug = new TypeError('secret is undefined');
    const attempt = failedAttempt(bug);
    expect(attempt).toMatchObject({ mayRetry: false, countsAsFailure: false, error: { code: 'internal_error' } });
    expect(attempt.error.message).not.toContain('secret');
    expect(attempt.error.cause).toBe(bug);
  });
});

const scrub = (text: string) => text.replaceAll('sk-vendor', '…');

describe('a secret in an error', () => {
  it('is removed from its message only', () => {
    const failure = new GatewayError('rate_limited', 'key sk-vendor is slow', {
      param: 'a',
      retryAfterMs: 5,
      cause: 'x',
    });
    expect(scrubbedFailure(failure, scrub)).toMatchObject({
      code: 'rate_limited',
      message: 'key … is slow',
      param: 'a',
      retryAfterMs: 5,
      retryable: true,
      cause: { code: 'rate_limited', message_hash: expect.stringMatching(/^[0-9a-f]{12}$/) },
    });
  });

  it('leaves an error without it unchanged', () => {
    const failure = new GatewayError('rate_limited', 'slowly');
    expect(scrubbedFailure(failure, scrub)).toBe(failure);
  });
});
