/** Luma samples along the side of a macroblock. */
export const MACROBLOCK = 16;

/** A frame's size and the grid of macroblocks that covers it. */
export interface FrameSize {
  /** Visible pixels; even, because chroma has half the resolution. */
  width: number;
  height: number;
  /** Macroblocks per row and per column; the last ones may stick out and are cropped away. */
  columns: number;
  rows: number;
}

/** Derives the macroblock grid of a visible size in pixels. */
export function frameSize(width: number, height: number): FrameSize {
  return { width, height, columns: Math.ceil(width / MACROBLOCK), rows: Math.ceil(height / MACROBLOCK) };
}
