export const MACROBLOCK = 16;

export interface FrameSize {
  /** Visible size in pixels. Both values are even, because chroma has half the resolution. */
  width: number;
  height: number;
  /** Size in macroblocks. Pixels outside the visible size are cropped. */
  columns: number;
  rows: number;
}

export function frameSize(width: number, height: number): FrameSize {
  return { width, height, columns: Math.ceil(width / MACROBLOCK), rows: Math.ceil(height / MACROBLOCK) };
}
