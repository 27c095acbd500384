import type { Seal, TextTarget } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSealer, readSeal, SEAL_PREFIX, sealFits } from './sealer.ts';

const sealer = createSealer('a secret of the test');
const seal: Seal = { protocol: 'messages', account: 'mine', model: 'claude-sonnet-4-5', value: 'EqQB' };

describe('createSealer', () => {
  it('gives back what it wrapped, in base64 that every field takes', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (value, account) => {
        const one: Seal = { protocol: 'responses', value, ...(account !== undefined && { account }) };
        const wrapped = sealer.wrap(one);
        expect(wrapped).toMatch(/^R1cx[A-Za-z0-9+/]+={0,2}$/);
        expect(wrapped.length % 4).toBe(0);
        expect(sealer.unwrap(wrapped)).toEqual(one);
      }),
    );
  });

  it('does not take what was changed, cut, or wrapped with another secret', () => {
    const wrapped = sealer.wrap(seal);
    for (let at = 4; at < wrapped.length - 2; at += 5) {
      const changed = wrapped.slice(0, at) + (wrapped[at] === 'A' ? 'B' : 'A') + wrapped.slice(at + 1);
      expect(sealer.unwrap(changed)).toBeUndefined();
    }
    expect(sealer.unwrap(SEAL_PREFIX)).toBeUndefined();
    expect(createSealer('another secret here').unwrap(wrapped)).toBeUndefined();
  });

  it('leaves a vendor’s own value to its protocol', () => {
    expect(readSeal(sealer, 'messages', 'EqQB')).toEqual({ protocol: 'messages', value: 'EqQB' });
    expect(readSeal(sealer, 'responses', sealer.wrap(seal))).toEqual(seal);
  });
});

describe('sealFits', () => {
  const target: TextTarget = {
    upstream: 'u',
    account: 'mine',
    protocol: 'messages',
    model: 'claude-opus-5',
    quirks: {},
  };

  it.each<[string, Partial<Seal>, boolean]>([
    ['the same account and family', {}, true],
    ['another account', { account: 'other' }, false],
    ['another protocol', { protocol: 'responses' }, false],
    ['another family', { model: 'gpt-5' }, false],
  ])('%s', (_what, change, fits) => {
    expect(sealFits({ ...seal, ...change }, target)).toBe(fits);
  });

  it('is no matter of what a client sent as its vendor made it', () => {
    expect(sealFits(readSeal(sealer, 'messages', 'EqQB'), target)).toBe(false);
    expect(sealFits(undefined, target)).toBe(false);
  });
});
