import { expect, it } from 'vitest';
import { formatKlingError } from './kling-error.ts';

// Source: Kling docs, "Error Code".
it.each([
  ['malformed', 400, 1200],
  ['refused', 400, 1201],
  ['moderation', 400, 1301],
  ['balance', 429, 1102],
  ['throttled', 429, 1302],
  ['concurrency', 429, 1303],
  ['unavailable', 503, 5001],
  ['broken', 500, 5000],
  ['not_found', 404, 1203],
  ['unknown_call', 404, 1202],
] as const)('%s is %d with code %d', (fault, status, code) => {
  const error = formatKlingError(fault, 'x');
  const body = { code, message: expect.any(String), request_id: 'req-1' };
  expect([error.status, error.body('req-1')]).toEqual([status, body]);
});
