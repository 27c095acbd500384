import { describe, expect, it } from 'vitest';
import { createCallLedger } from './call-ledger.ts';

describe('createCallLedger', () => {
  it('gives calls without id the same ids for the same history', () => {
    for (const ledger of [createCallLedger(), createCallLedger()]) {
      expect([ledger.open(undefined, 'get'), ledger.open(undefined, 'get')]).toEqual(['call_0_get', 'call_1_get']);
      expect(ledger.response(undefined, 'get')).toBe('call_0_get');
    }
  });

  it('lets answers without id meet the first open call of their function, in any order', () => {
    const ledger = createCallLedger();
    const [a, b, again] = [ledger.open(undefined, 'a'), ledger.open(undefined, 'b'), ledger.open(undefined, 'a')];
    expect([ledger.response(undefined, 'b'), ledger.response(undefined, 'a'), ledger.response(undefined, 'a')]).toEqual(
      [b, a, again],
    );
  });

  it('lets an answer whose id was made up meet the call that had none', () => {
    const ledger = createCallLedger();
    const id = ledger.open(undefined, 'get');
    expect(ledger.response('made-up', 'get')).toBe(id);
  });

  it('keeps told ids and tells orphans apart', () => {
    const ledger = createCallLedger();
    ledger.open('c1', 'get');
    expect(ledger.response('other', 'get')).toBe('other');
    expect(ledger.response('c1', 'get')).toBe('c1');
    expect(ledger.response(undefined, 'get')).toBe('call_unknown_get');
  });

  it('keeps ids short and safe whatever the name', () => {
    expect(createCallLedger().open(undefined, `a.b:${'x'.repeat(120)}`)).toMatch(/^[\w-]{1,64}$/);
  });
});
