import { describe, expect, it } from 'vitest';
import { box, fullBox, numbers } from './box.ts';

describe('box', () => {
  it('has a size that includes its header and its content', () => {
    expect(box('free', numbers(8, 1), numbers(16, 2)).toString('hex')).toBe('0000000b66726565010002');
  });
});

describe('fullBox', () => {
  it('starts with version 0 and the flags', () => {
    expect(fullBox('vmhd', 1).toString('hex')).toBe('0000000c766d686400000001');
  });
});

describe('numbers', () => {
  it('rejects a value that does not fit', () => {
    expect(() => numbers(8, 256)).toThrow(RangeError);
  });
});
