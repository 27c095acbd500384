export const MACROBLOCK = 16;

export interface FrameSize {
  /** Visible pixels; even, because chroma has half the resolution. */
  width: number;
  height: number;
  /** Macroblocks per row and column; the overhang is cropped. */
  columns: number;
  rows: number;
}

export function frameSize(width: number, height: number): FrameSize {
  return { width, height, columns: Math.ceil(width / MACROBLOCK), rows: Math.ceil(height / MACROBLOCK) };
}
