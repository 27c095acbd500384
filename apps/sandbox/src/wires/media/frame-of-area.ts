/** A frame's size in pixels. */
export interface Frame {
  width: number;
  height: number;
}

function even(pixels: number): number {
  return Math.max(2, Math.round(pixels / 2) * 2);
}

/** The frame of a shape with about as many pixels as asked for; both sides are even, as films need them. */
export function frameOfArea(shape: Frame, pixels: number): Frame {
  const ratio = shape.width / shape.height;
  return { width: even(Math.sqrt(pixels * ratio)), height: even(Math.sqrt(pixels / ratio)) };
}

/** The frame of a shape whose shorter side has as many pixels as asked for; both sides are even. */
export function frameOfShortSide(shape: Frame, pixels: number): Frame {
  const scale = pixels / Math.min(shape.width, shape.height);
  return { width: even(shape.width * scale), height: even(shape.height * scale) };
}

/** Reads a shape such as `16:9`; undefined for everything else. */
export function shapeOf(ratio: string): Frame | undefined {
  const [, width = 0, height = 0] = /^(\d{1,2}):(\d{1,2})$/.exec(ratio)?.map(Number) ?? [];
  return width > 0 && height > 0 ? { width, height } : undefined;
}
