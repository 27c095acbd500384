import { describe, expect, it } from 'vitest';
import { isMediaWire } from './wire-table.ts';

describe('isMediaWire', () => {
  it('accepts only the names of media APIs', () => {
    expect(['videos', 'provider-a', 'Videos', 'messages', ''].map(isMediaWire)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
