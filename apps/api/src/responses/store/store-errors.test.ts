import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { withStoreErrors } from './store-errors.ts';

describe('storeAnswer', () => {
  it('gives what Redis gave', async () => {
    expect(await withStoreErrors(() => Promise.resolve(7))).toBe(7);
  });

  it('says of whatever goes wrong with Redis that it is away for the moment, and keeps the cause inside', async () => {
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

  it('leaves our own errors as they are', async () => {
    const own = new GatewayError('invalid_request', 'no');
    await expect(withStoreErrors(() => Promise.reject(own))).rejects.toBe(own);
  });
});
