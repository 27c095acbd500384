import { describe, expect, it } from 'vitest';
import { standInStatus } from './error-text.ts';

const status = (code: string, type = '', message = '') => standInStatus({ code, type, message });

describe('standInStatus', () => {
  it('goes by the code before the type, and by the type before the words', () => {
    expect(status('rate_limit_exceeded', 'invalid_request_error', 'overloaded')).toBe(429);
    expect(status('unheard_of', 'invalid_request_error', 'overloaded')).toBe(400);
    expect(status('unheard_of', 'server_error', 'The engine is overloaded.')).toBe(503);
  });

  it('is the upstream’s trouble when nothing is said', () => {
    expect(status('')).toBe(502);
    expect(status('server_error', 'internal', 'Oops.')).toBe(502);
  });
});
