import { describe, expect, it } from 'vitest';
import { createCallIds } from './call-ids.ts';

describe('createCallIds', () => {
  it('derives the same ids for the same history', () => {
    for (const calls of [createCallIds(), createCallIds()]) {
      expect([calls.open(undefined, 'get'), calls.open(undefined, 'get')]).toEqual(['call_0_get', 'call_1_get']);
      expect(calls.close(undefined, 'get')).toBe('call_0_get');
    }
  });

  it('matches responses without an id to the first open call of their function', () => {
    const calls = createCallIds();
    const [firstA, b, secondA] = [calls.open(undefined, 'a'), calls.open(undefined, 'b'), calls.open(undefined, 'a')];
    expect([calls.close(undefined, 'b'), calls.close(undefined, 'a'), calls.close(undefined, 'a')]).toEqual([
      b,
      firstA,
      secondA,
    ]);
  });

  it('matches a response with an invented id to the call that has none', () => {
    const calls = createCallIds();
    const id = calls.open(undefined, 'get');
    expect(calls.close('invented', 'get')).toBe(id);
  });

  it("keeps the client's ids and keeps unmatched responses separate", () => {
    const calls = createCallIds();
    calls.open('c1', 'get');
    expect(calls.close('other', 'get')).toBe('other');
    expect(calls.close('c1', 'get')).toBe('c1');
    expect(calls.close(undefined, 'get')).toBe('call_unknown_get');
  });

  it('keeps ids short and safe for any function name', () => {
    expect(createCallIds().open(undefined, `a.b:${'x'.repeat(120)}`)).toMatch(/^[\w-]{1,64}$/);
  });
});
