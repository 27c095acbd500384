import { expect, it } from 'vitest';
import { formatVideosError } from './format-videos-error.ts';

it.each([
  ['malformed', 400, 'invalid_request'],
  ['refused', 400, 'invalid_value'],
  ['moderation', 400, 'moderation_blocked'],
  ['balance', 429, 'insufficient_quota'],
  ['throttled', 429, 'rate_limit_exceeded'],
  ['concurrency', 429, 'rate_limit_exceeded'],
  ['unavailable', 503, 'service_unavailable'],
  ['broken', 500, 'server_error'],
  ['not_found', 404, 'not_found'],
  ['unknown_call', 404, 'not_found'],
] as const)('%s is %d with code %s', (fault, status, code) => {
  const error = formatVideosError(fault, 'x');
  expect([error.status, error.body('')]).toMatchObject([status, { error: { code } }]);
});
