import { expect, it } from 'vitest';
import { explainV1, formatV1Error } from './v1-error.ts';

// Source: MiniMax docs, "Error Codes".
it.each([
  ['malformed', 200, 2013],
  ['refused', 200, 2013],
  ['moderation', 200, 1026],
  ['balance', 200, 1008],
  ['throttled', 200, 1002],
  ['concurrency', 200, 1041],
  ['unavailable', 503, 1033],
  ['broken', 200, 1000],
  ['not_found', 200, 2013],
  ['unknown_call', 404, 2013],
] as const)('%s is HTTP %d with %d in base_resp', (fault, status, status_code) => {
  const error = formatV1Error(fault, 'x');
  expect([error.status, error.body('')]).toEqual([status, { base_resp: { status_code, status_msg: error.message } }]);
});

it.each(['missing', 'unknown', 'invalid'] as const)('a field that is %s is 2013', (kind) => {
  const error = explainV1({ kind, field: 'duration', message: 'must be so' });
  const status_msg = expect.stringContaining('duration');
  expect([error.status, error.body('')]).toEqual([200, { base_resp: { status_code: 2013, status_msg } }]);
});
