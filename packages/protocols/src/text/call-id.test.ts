import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeCallId } from './call-id.ts';

describe('safeCallId', () => {
  it('fits every vendor’s limits for any id', () => {
    fc.assert(
      fc.property(fc.string(), (id) => {
        expect(safeCallId(id)).toMatch(/^[\w-]{1,64}$/);
      }),
    );
  });

  it('preserves valid ids and is deterministic', () => {
    expect(safeCallId('toolu_01A-b')).toBe('toolu_01A-b');
    expect(safeCallId('functions.search:0')).toBe(safeCallId('functions.search:0'));
    expect(safeCallId('functions.search:0')).not.toBe(safeCallId('functions.search:1'));
  });
});
