import { describe, expect, it } from 'vitest';
import { isWire } from './wire.ts';

describe('isWire', () => {
  it('knows the wires of media and nothing else', () => {
    expect(['videos', 'provider-a', 'Videos', 'messages', ''].map(isWire)).toEqual([true, true, false, false, false]);
  });
});
