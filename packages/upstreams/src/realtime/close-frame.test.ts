import { describe, expect, it } from 'vitest';
import { fitReason, sendableCode } from './close-frame.ts';

describe('close codes and reasons', () => {
  it.each([1000, 1001, 1007, 1008, 1009, 1011, 1012, 1014, 3000, 4001, 4999])('sends %i', (code) => {
    expect(sendableCode(code)).toBe(code);
  });

  it.each([0, 999, 1004, 1006, 1015, 1016, 2999, 5000, 65_535])('does not send %i, which is reserved', (code) => {
    expect(sendableCode(code)).toBe(1011);
  });

  it('treats a close without a code as normal', () => {
    expect(sendableCode(1005)).toBe(1000);
  });

  it('cuts a reason to the size of a close frame, never within a character', () => {
    expect(fitReason('x'.repeat(123))).toHaveLength(123);
    expect(fitReason('x'.repeat(124))).toHaveLength(123);
    const cut = fitReason(`x${'ü'.repeat(100)}`);
    expect(cut).toBe(`x${'ü'.repeat(61)}`);
    expect(fitReason('😀'.repeat(40))).toBe('😀'.repeat(30));
  });
});
