import { describe, expect, it } from 'vitest';
import { invalidInput, formatJimengError } from './jimeng-error.ts';

describe('formatJimengError', () => {
  // Source: Jimeng docs, "Error Codes".
  it.each([
    ['malformed', 400, 50_200],
    ['refused', 400, 50_215],
    ['moderation', 400, 50_412],
    ['throttled', 429, 50_429],
    ['concurrency', 429, 50_430],
    ['broken', 500, 50_500],
  ] as const)('%s is %d with code %d and no data', (fault, status, code) => {
    const error = formatJimengError(fault, 'x');
    expect(error.status).toBe(status);
    expect(error.body('req-1')).toEqual({
      code,
      data: null,
      message: expect.any(String),
      request_id: 'req-1',
      status: code,
      time_elapsed: expect.stringMatching(/ms$/),
    });
  });

  it.each([
    ['balance', 403, 'AccountOverdueError'],
    ['unavailable', 503, 'ServiceUnavailableTemp'],
    ['unknown_call', 404, 'InvalidActionOrVersion'],
  ] as const)('%s comes from the gateway, with %d and %s', (fault, status, Code) => {
    const error = formatJimengError(fault, 'x');
    expect([error.status, error.body('req-1')]).toMatchObject([status, { ResponseMetadata: { Error: { Code } } }]);
  });

  it('returns an unknown job without an error', () => {
    const error = formatJimengError('not_found');
    expect([error.status, error.body('req-1')]).toMatchObject([200, { code: 10_000, data: { status: 'not_found' } }]);
  });
});

it('invalidInput names the field', () => {
  expect(invalidInput('frames', 'must be 121 or 241').message).toMatch(/^Input invalid.* frames must be/);
});
