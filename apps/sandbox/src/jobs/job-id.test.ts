import { describe, expect, it } from 'vitest';
import { digitsFrom, hexFrom, uuidFrom } from './job-id.ts';

describe('digitsFrom', () => {
  it('returns more digits than a safe integer has', () => {
    const ids = Array.from({ length: 200 }, (_, index) => digitsFrom(`unique ${index}`));
    expect(new Set(ids).size).toBe(200);
    expect(ids.every((id) => /^[1-9]\d{18}$/.test(id) && BigInt(id) > BigInt(Number.MAX_SAFE_INTEGER))).toBe(true);
  });
});

describe('uuidFrom', () => {
  it('depends on its unique part alone', () => {
    expect(uuidFrom('abc')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuidFrom('abc')).toBe(uuidFrom('abc'));
    expect(uuidFrom('abc')).not.toBe(uuidFrom('abd'));
  });
});

describe('hexFrom', () => {
  it('returns hexadecimal digits', () => {
    expect(hexFrom('abc')).toMatch(/^[0-9a-f]{64}$/);
  });
});
