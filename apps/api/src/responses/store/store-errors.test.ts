import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { withStoreErrors } from './store-errors.ts';

describe('withStoreErrors', () => {
  it('returns the result of Redis', async () => {
    expect(await withStoreErrors(() => Promise.resolve(7))).toBe(7);
  });

  it('maps any Redis failure to `store_unavailable` with its cause', async () => {
    const cause = new Error('ECONNREFUSED 10.0.0.1');
    const failed = withStoreErrors(() => Promise.reject(cause));
    await expect(failed).rejects.toMatchObject({
      code: 'store_unavailable',
      retryable: true,
      retryAfterMs: 1_000,
      cause,
    });
    await expect(failed).rejects.not.toThrow(/10\.0\.0\.1/);
  });

  it('passes on a gateway error', async () => {
    const own = new GatewayError('invalid_request', 'no');
    await expect(withStoreErrors(() => Promise.reject(own))).rejects.toBe(own);
  });
});
