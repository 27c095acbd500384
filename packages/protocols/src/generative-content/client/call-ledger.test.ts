import { describe, expect, it } from 'vitest';
import { createCallLedger } from './call-ledger.ts';

describe('createCallLedger', () => {
  it('derives the same ids for the same history', () => {
    for (const ledger of [createCallLedger(), createCallLedger()]) {
      expect([ledger.open(undefined, 'get'), ledger.open(undefined, 'get')]).toEqual(['call_0_get', 'call_1_get']);
      expect(ledger.response(undefined, 'get')).toBe('call_0_get');
    }
  });

  it('matches responses without an id to the first open call of their function', () => {
    const ledger = createCallLedger();
    const [a, b, again] = [ledger.open(undefined, 'a'), ledger.open(undefined, 'b'), ledger.open(undefined, 'a')];
    expect([ledger.response(undefined, 'b'), ledger.response(undefined, 'a'), ledger.response(undefined, 'a')]).toEqual(
      [b, a, again],
    );
  });

  it('matches a response with an invented id to the call that has none', () => {
    const ledger = createCallLedger();
    const id = ledger.open(undefined, 'get');
    expect(ledger.response('made-up', 'get')).toBe(id);
  });

  it("keeps the client's ids and keeps unmatched responses separate", () => {
    const ledger = createCallLedger();
    ledger.open('c1', 'get');
    expect(ledger.response('other', 'get')).toBe('other');
    expect(ledger.response('c1', 'get')).toBe('c1');
    expect(ledger.response(undefined, 'get')).toBe('call_unknown_get');
  });

  it('keeps ids short and safe for any function name', () => {
    expect(createCallLedger().open(undefined, `a.b:${'x'.repeat(120)}`)).toMatch(/^[\w-]{1,64}$/);
  });
});
