import { describe, expect, it } from 'vitest';
import { inferStatus } from './error-text.ts';

const status = (code: string, type = '', message = '') => inferStatus({ code, type, message });

describe('inferStatus', () => {
  it('prefers the code over the type, and the type over the message', () => {
    expect(status('rate_limit_exceeded', 'invalid_request_error', 'overloaded')).toBe(429);
    expect(status('unheard_of', 'invalid_request_error', 'overloaded')).toBe(400);
    expect(status('unheard_of', 'server_error', 'The engine is overloaded.')).toBe(503);
  });

  it('returns 502 if nothing matches', () => {
    expect(status('')).toBe(502);
    expect(status('server_error', 'internal', 'Oops.')).toBe(502);
  });
});
