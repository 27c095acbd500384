import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { WireError } from '../../http/wire-error.ts';
import { checkKlingToken } from './check-kling-token.ts';

const NOW = 1_767_323_045;
const account = { apiKey: 'SKTEST', accessKey: 'AKTEST', now: NOW * 1000 };

/** A token created by hand with these keys at time NOW, as the API documentation describes. */
const VECTOR =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJBS1RFU1QiLCJleHAiOjE3NjczMjQ4NDUsIm5iZiI6MTc2NzMyMzA0MH0.5OjGnjp5ZN45I7lSBf28cFws0iAge2Q01aSOY_pEdlw';

function token(payload: object, header: object = { alg: 'HS256', typ: 'JWT' }, secret = 'SKTEST'): string {
  const [head, body] = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return `${head}.${body}.${createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url')}`;
}

const payload = { iss: 'AKTEST', exp: NOW + 1800, nbf: NOW - 5 };

function decision(authorization: string | undefined, now = NOW): unknown {
  try {
    checkKlingToken(authorization, { ...account, now: now * 1000 });
    return 'ok';
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    expect(error.status).toBe(401);
    return Object(error.body('')).code;
  }
}

describe('checkKlingToken', () => {
  it('accepts the plain key and a token signed with it', () => {
    expect(decision('Bearer SKTEST')).toBe('ok');
    expect(decision(`Bearer ${VECTOR}`)).toBe('ok');
    expect(decision(`Bearer ${token(payload)}`)).toBe('ok');
  });

  it.each([
    [undefined, 1001],
    ['', 1001],
    ['Basic SKTEST', 1002],
    ['Bearer', 1002],
    ['Bearer sk-other', 1002],
    ['Bearer a.b.c', 1002],
    [`Bearer ${VECTOR}.more`, 1002],
    [`Bearer ${VECTOR.slice(0, -2)}AA`, 1000],
    [`Bearer ${token(payload, undefined, 'other')}`, 1000],
    [`Bearer ${token(payload, { alg: 'none' })}`, 1002],
    [`Bearer ${token(payload, { alg: 'HS512', typ: 'JWT' })}`, 1002],
    [`Bearer ${token({ ...payload, iss: 'OTHER' })}`, 1002],
    [`Bearer ${token({ iss: 'AKTEST' })}`, 1002],
  ])('responds to %s with %d', (authorization, code) => {
    expect(decision(authorization)).toBe(code);
  });

  it('checks the time', () => {
    expect([NOW - 6, NOW - 5, NOW + 1799, NOW + 1800].map((now) => decision(`Bearer ${VECTOR}`, now))).toEqual([
      1003,
      'ok',
      'ok',
      1004,
    ]);
  });
});
