import { describe, expect, it } from 'vitest';
import { nalUnit } from './nal-unit.ts';

function unit(...payload: number[]): number[] {
  return [...nalUnit('slice', Uint8Array.from(payload))].slice(1);
}

describe('nalUnit', () => {
  it.each([0, 1, 2, 3])('puts an emulation prevention byte into 00 00 %i', (third) => {
    expect(unit(9, 0, 0, third, 9)).toEqual([9, 0, 0, 3, third, 9]);
  });

  it('does not escape 00 00 04', () => {
    expect(unit(0, 0, 4)).toEqual([0, 0, 4]);
  });

  it('breaks up a long run of zeros', () => {
    expect(unit(0, 0, 0, 0, 0, 0, 1)).toEqual([0, 0, 3, 0, 0, 3, 0, 0, 3, 1]);
  });

  it('has the unit type in its first byte', () => {
    expect(nalUnit('sequence', new Uint8Array())[0]).toBe(0x67);
    expect(nalUnit('image', new Uint8Array())[0]).toBe(0x68);
    expect(nalUnit('idr', new Uint8Array())[0]).toBe(0x65);
  });
});
