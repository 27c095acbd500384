import { describe, expect, it } from 'vitest';
import { falProblem, formatFalError } from './fal-error.ts';

describe('formatFalError', () => {
  const anyText = expect.any(String);
  it.each([
    ['malformed', 400, { detail: anyText, error_type: 'bad_request' }],
    ['refused', 422, { detail: [{ loc: ['body'], type: 'feature_not_supported', msg: anyText, url: anyText }] }],
    [
      'moderation',
      422,
      { detail: [{ loc: ['body', 'prompt'], type: 'content_policy_violation', msg: anyText, url: anyText }] },
    ],
    ['balance', 403, { detail: expect.stringContaining('Exhausted balance') }],
    ['throttled', 429, { detail: anyText }],
    ['concurrency', 429, { detail: anyText }],
    ['unavailable', 503, { detail: anyText, error_type: 'runner_scheduling_failure' }],
    ['broken', 500, { detail: anyText, error_type: 'internal_error' }],
    ['not_found', 404, { detail: 'Request x not found' }],
    ['unknown_call', 404, { detail: 'Not Found' }],
  ] as const)('formats %s as %d', (fault, status, body) => {
    const error = formatFalError(fault, 'x');
    expect([error.status, error.body('')]).toEqual([status, body]);
  });

  it('returns the type of a request error in a header too', () => {
    expect(formatFalError('unavailable').headers).toEqual({ 'x-fal-error-type': 'runner_scheduling_failure' });
  });
});

it('falProblem echoes the input unless it contains an image', () => {
  expect(falProblem('one_of', 'no', { at: ['size'], input: 5 })).toMatchObject({ loc: ['body', 'size'], input: 5 });
  expect(falProblem('one_of', 'no', { input: { image_url: 'data:image/png;base64,AAAA' } })).not.toHaveProperty(
    'input',
  );
});
