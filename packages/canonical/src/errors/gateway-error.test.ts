import { describe, expect, it } from 'vitest';
import { ERROR_STATUS, GatewayError, TASK_ERROR_CODES } from './gateway-error.ts';

describe('GatewayError', () => {
  it('has the status of its code', () => {
    expect(new GatewayError('video_not_found', 'gone').status).toBe(404);
  });

  it('is retryable only if a retry can help, unless `retryable` is set', () => {
    expect(new GatewayError('store_unavailable', 'away').retryable).toBe(true);
    expect(new GatewayError('rate_limited', 'slow down').retryable).toBe(true);
    expect(new GatewayError('internal_error', 'oops').retryable).toBe(false);
    expect(new GatewayError('insufficient_quota', 'spent').retryable).toBe(false);
    expect(new GatewayError('store_unavailable', 'away', { retryable: false }).retryable).toBe(false);
  });
});

describe('TASK_ERROR_CODES', () => {
  it('contains only codes of ERROR_STATUS', () => {
    for (const code of TASK_ERROR_CODES) expect(ERROR_STATUS).toHaveProperty(code);
  });
});
