export interface Frame {
  width: number;
  height: number;
}

/** Aspect ratio of a video if the request sets none. */
export const WIDE: Frame = { width: 16, height: 9 };

function even(pixels: number): number {
  return Math.max(2, Math.round(pixels / 2) * 2);
}

/** Returns a frame with about this number of pixels. Both sides are even, as video requires. */
export function frameOfArea(shape: Frame, pixels: number): Frame {
  const ratio = shape.width / shape.height;
  return { width: even(Math.sqrt(pixels * ratio)), height: even(Math.sqrt(pixels / ratio)) };
}

/** Returns a frame with this shorter side. Both sides are even. */
export function frameOfShortSide(shape: Frame, pixels: number): Frame {
  const scale = pixels / Math.min(shape.width, shape.height);
  return { width: even(shape.width * scale), height: even(shape.height * scale) };
}

export function shapeOf(ratio: string): Frame | undefined {
  const [, width = 0, height = 0] = /^(\d{1,2}):(\d{1,2})$/.exec(ratio)?.map(Number) ?? [];
  return width > 0 && height > 0 ? { width, height } : undefined;
}
