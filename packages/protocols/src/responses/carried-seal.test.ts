import type { Seal } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createSealer, SEAL_PREFIX } from '../sealer.ts';
import { type CarriedSeal, carrySeal, readCarriedSeal } from './carried-seal.ts';

const sealer = createSealer('secret');
const seal: Seal = { protocol: 'messages', account: 'a', model: 'claude', value: 'c2ln' };

describe('a seal on its way through a client', () => {
  it.each([
    {},
    { text: ['a', 'b'] },
    { redacted: true },
    { callId: 'call_1' },
    { textPart: 'text' as const },
    { textPart: 'empty' as const },
  ])('comes back with %j', (extras) => {
    const carried: CarriedSeal = { seal, ...extras };
    const text = carrySeal(sealer, carried);
    expect(text.startsWith(SEAL_PREFIX)).toBe(true);
    expect(readCarriedSeal(sealer, text)).toEqual(carried);
  });

  it('carries what nobody sealed', () => {
    const text = carrySeal(sealer, { text: ['a', 'b'] });
    expect(text.startsWith(SEAL_PREFIX)).toBe(true);
    expect(readCarriedSeal(sealer, text)).toEqual({ text: ['a', 'b'] });
  });

  it('is the vendor’s own when it was not wrapped, or was changed', () => {
    expect(readCarriedSeal(sealer, 'gAAAA')).toEqual({ seal: { protocol: 'responses', value: 'gAAAA' } });
    const changed = `${carrySeal(sealer, { seal }).slice(0, -8)}AAAAAAAA`;
    expect(readCarriedSeal(sealer, changed)).toEqual({ seal: { protocol: 'responses', value: changed } });
  });
});
