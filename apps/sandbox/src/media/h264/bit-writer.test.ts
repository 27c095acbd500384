import { describe, expect, it } from 'vitest';
import { createBitWriter } from './bit-writer.ts';

function written(write: (out: ReturnType<typeof createBitWriter>) => void): string {
  const out = createBitWriter(1);
  write(out);
  return [...out.finish()].map((byte) => byte.toString(2).padStart(8, '0')).join('');
}

describe('createBitWriter', () => {
  it('writes the most significant bit first and ends with a stop bit and padding', () => {
    expect(written((out) => out.bits(0b101, 3))).toBe('10110000');
    expect(written((out) => out.bits(0xff, 8))).toBe('1111111110000000');
    expect(written((out) => out.bits(0x80000001, 32))).toBe(`1${'0'.repeat(30)}110000000`);
  });

  it.each([
    [0, '1'],
    [1, '010'],
    [2, '011'],
    [3, '00100'],
    [30, '000011111'],
    [14_399, '000000000000011100001000000'],
  ])('encodes %i as Exp-Golomb', (value, code) => {
    expect(written((out) => out.unsigned(value))).toBe(`${code}1`.padEnd(Math.ceil((code.length + 1) / 8) * 8, '0'));
  });

  it('reserves bytes after aligning, and keeps written bytes when it grows', () => {
    const bits = written((out) => {
      out.bits(1, 1);
      out.align();
      out.reserve(300).fill(0xaa);
    });
    expect(bits).toBe(`10000000${'10101010'.repeat(300)}10000000`);
  });

  it('refuses to reserve bytes at an unaligned position', () => {
    expect(() => written((out) => [out.bits(1, 1), out.reserve(1)])).toThrow('aligned');
  });
});
