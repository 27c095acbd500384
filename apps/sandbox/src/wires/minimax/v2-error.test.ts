import { expect, it } from 'vitest';
import { explainV2, formatV2Error } from './v2-error.ts';

// Source: MiniMax docs for v2, "Create video generation task".
it.each([
  ['malformed', 400, 'bad_request_error', 2013],
  ['refused', 400, 'bad_request_error', 2013],
  ['moderation', 422, 'unprocessable_entity_error', 1026],
  ['balance', 402, 'insufficient_balance_error', 1008],
  ['throttled', 429, 'rate_limit_error', 1002],
  ['concurrency', 429, 'rate_limit_error', 1041],
  ['unavailable', 529, 'overloaded_error', 2064],
  ['broken', 500, 'server_error', 1000],
  ['not_found', 400, 'bad_request_error', 2013],
  ['unknown_call', 404, 'not_found_error', 2013],
] as const)('%s is HTTP %d, a %s of code %d', (fault, status, type, code) => {
  const error = formatV2Error(fault, 'x');
  const message = expect.stringMatching(new RegExp(` \\(${code}\\)$`));
  expect(error.status).toBe(status);
  expect(error.body('req_1')).toEqual({
    type: 'error',
    error: { type, message, http_code: String(status) },
    request_id: 'req_1',
  });
});

it.each(['missing', 'unknown', 'invalid'] as const)('a field that is %s is a bad request', (kind) => {
  const error = explainV2({ kind, field: 'duration', message: 'must be so' });
  const message = expect.stringContaining('duration');
  expect([error.status, error.body('')]).toMatchObject([400, { error: { type: 'bad_request_error', message } }]);
});
