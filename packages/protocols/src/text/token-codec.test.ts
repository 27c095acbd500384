import type { OpaqueToken, TextTarget } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenCodec, readToken, TOKEN_PREFIX, canReadToken } from './token-codec.ts';

const tokenCodec = createTokenCodec('a secret of the test');
const opaqueToken: OpaqueToken = { protocol: 'messages', account: 'mine', model: 'claude-sonnet-4-5', value: 'EqQB' };

describe('createTokenCodec', () => {
  it('unwraps its own tokens, in base64 that every field accepts', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (value, account) => {
        const one: OpaqueToken = { protocol: 'responses', value, ...(account !== undefined && { account }) };
        const wrapped = tokenCodec.wrap(one);
        expect(wrapped).toMatch(/^R1cx[A-Za-z0-9+/]+={0,2}$/);
        expect(wrapped.length % 4).toBe(0);
        expect(tokenCodec.unwrap(wrapped)).toEqual(one);
      }),
    );
  });

  it('rejects a modified, truncated, or foreign token', () => {
    const wrapped = tokenCodec.wrap(opaqueToken);
    for (let at = 4; at < wrapped.length - 2; at += 5) {
      const changed = wrapped.slice(0, at) + (wrapped[at] === 'A' ? 'B' : 'A') + wrapped.slice(at + 1);
      expect(tokenCodec.unwrap(changed)).toBeUndefined();
    }
    expect(tokenCodec.unwrap(TOKEN_PREFIX)).toBeUndefined();
    expect(createTokenCodec('another secret here').unwrap(wrapped)).toBeUndefined();
  });

  it('reads a vendor’s own value as a token of its protocol', () => {
    expect(readToken(tokenCodec, 'messages', 'EqQB')).toEqual({ protocol: 'messages', value: 'EqQB' });
    expect(readToken(tokenCodec, 'responses', tokenCodec.wrap(opaqueToken))).toEqual(opaqueToken);
  });
});

describe('canReadToken', () => {
  const target: TextTarget = {
    upstream: 'u',
    account: 'mine',
    protocol: 'messages',
    model: 'claude-opus-5',
    quirks: {},
  };

  it.each<[string, Partial<OpaqueToken>, boolean]>([
    ['the same account and family', {}, true],
    ['another account', { account: 'other' }, false],
    ['another protocol', { protocol: 'responses' }, false],
    ['another family', { model: 'gpt-5' }, false],
  ])('decides by account, protocol, and model family: %s', (_case, change, isReadable) => {
    expect(canReadToken({ ...opaqueToken, ...change }, target)).toBe(isReadable);
  });

  it('rejects a vendor’s value and a missing token', () => {
    expect(canReadToken(readToken(tokenCodec, 'messages', 'EqQB'), target)).toBe(false);
    expect(canReadToken(undefined, target)).toBe(false);
  });
});
