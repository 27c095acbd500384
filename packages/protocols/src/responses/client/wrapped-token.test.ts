import type { OpaqueToken } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec, TOKEN_PREFIX } from '../../text/token-codec.ts';
import { type WrappedToken, wrapToken, readWrappedToken } from './wrapped-token.ts';

const tokenCodec = createTokenCodec('secret');
const opaqueToken: OpaqueToken = { protocol: 'messages', account: 'a', model: 'claude', value: 'c2ln' };

describe('wrapped opaque token', () => {
  it.each([
    {},
    { text: ['a', 'b'] },
    { redacted: true },
    { callId: 'call_1' },
    { textPart: 'text' as const },
    { textPart: 'empty' as const },
  ])('restores %j', (extras) => {
    const wrapped: WrappedToken = { opaqueToken, ...extras };
    const text = wrapToken(tokenCodec, wrapped);
    expect(text.startsWith(TOKEN_PREFIX)).toBe(true);
    expect(readWrappedToken(tokenCodec, text)).toEqual(wrapped);
  });

  it('preserves reasoning without an opaque token', () => {
    const text = wrapToken(tokenCodec, { text: ['a', 'b'] });
    expect(text.startsWith(TOKEN_PREFIX)).toBe(true);
    expect(readWrappedToken(tokenCodec, text)).toEqual({ text: ['a', 'b'] });
  });

  it('reads an unwrapped or modified value as the vendor’s own', () => {
    expect(readWrappedToken(tokenCodec, 'gAAAA')).toEqual({ opaqueToken: { protocol: 'responses', value: 'gAAAA' } });
    const changed = `${wrapToken(tokenCodec, { opaqueToken }).slice(0, -8)}AAAAAAAA`;
    expect(readWrappedToken(tokenCodec, changed)).toEqual({ opaqueToken: { protocol: 'responses', value: changed } });
  });
});
