import { expect, it } from 'vitest';
import { formatGoogleError } from './format-google-error.ts';

it.each([
  ['malformed', 400, 'INVALID_ARGUMENT'],
  ['refused', 400, 'INVALID_ARGUMENT'],
  ['balance', 429, 'RESOURCE_EXHAUSTED'],
  ['throttled', 429, 'RESOURCE_EXHAUSTED'],
  ['concurrency', 429, 'RESOURCE_EXHAUSTED'],
  ['unavailable', 503, 'UNAVAILABLE'],
  ['broken', 500, 'INTERNAL'],
  ['not_found', 404, 'NOT_FOUND'],
  ['unknown_call', 404, 'NOT_FOUND'],
] as const)('formats %s as %i %s', (fault, code, status) => {
  const error = formatGoogleError(fault);
  expect([error.status, error.body('')]).toMatchObject([code, { error: { code, status } }]);
});

it('sends a retry delay only where a retry helps', () => {
  expect(JSON.stringify(formatGoogleError('throttled').body(''))).toContain('"retryDelay":"1s"');
  expect(JSON.stringify(formatGoogleError('balance').body(''))).not.toContain('retryDelay');
});
