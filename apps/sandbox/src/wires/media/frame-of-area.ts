export interface Frame {
  width: number;
  height: number;
}

/** The shape of a video whose request sets none. */
export const WIDE: Frame = { width: 16, height: 9 };

function even(pixels: number): number {
  return Math.max(2, Math.round(pixels / 2) * 2);
}

/** About as many pixels, both sides even, as videos need. */
export function frameOfArea(shape: Frame, pixels: number): Frame {
  const ratio = shape.width / shape.height;
  return { width: even(Math.sqrt(pixels * ratio)), height: even(Math.sqrt(pixels / ratio)) };
}

/** Both sides are even. */
export function frameOfShortSide(shape: Frame, pixels: number): Frame {
  const scale = pixels / Math.min(shape.width, shape.height);
  return { width: even(shape.width * scale), height: even(shape.height * scale) };
}

export function shapeOf(ratio: string): Frame | undefined {
  const [, width = 0, height = 0] = /^(\d{1,2}):(\d{1,2})$/.exec(ratio)?.map(Number) ?? [];
  return width > 0 && height > 0 ? { width, height } : undefined;
}
