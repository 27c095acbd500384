import { describe, expect, it } from 'vitest';
import { frameSize } from './frame-size.ts';

describe('frameSize', () => {
  it('covers the complete frame with macroblocks', () => {
    expect(frameSize(320, 176)).toEqual({ width: 320, height: 176, columns: 20, rows: 11 });
    expect(frameSize(322, 178)).toEqual({ width: 322, height: 178, columns: 21, rows: 12 });
  });
});
