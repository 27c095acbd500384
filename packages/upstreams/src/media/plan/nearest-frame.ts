import type { MediaLossReport } from '@sluice/canonical';
import { linesOf } from './frame-shape.ts';

/** Shapes that differ by less differ only by rounding. */
const SAME_SHAPE = 0.03;
/** Areas that differ by less belong to the same tier. */
const SAME_TIER = 0.2;
/** Line count if the client set only a shape. */
const DEFAULT_LINES = 720;
const DEFAULT_SHAPE = '16:9';

interface Sides {
  width: number;
  height: number;
}

function sidesOf(frame: string): Sides {
  const [width = 1, height = 1] = frame.split(/[:x]/).map(Number);
  return { width, height };
}

function shapeBetween(one: Sides, other: Sides): number {
  return Math.abs(Math.log(one.width / one.height / (other.width / other.height)));
}

export function nearestFrame(requested: Sides, frames: readonly string[]): string | undefined {
  const far = (frame: string): number => {
    const one = sidesOf(frame);
    const area = Math.abs(Math.log((one.width * one.height) / (requested.width * requested.height)));
    return 10 * shapeBetween(one, requested) + area;
  };
  return frames.toSorted((one, other) => far(one) - far(other))[0];
}

/**
 * Returns the frame for a model with a fixed list: the requested size, or a frame with the requested shape and lines,
 * or else the nearest, reported as clamped.
 * @returns undefined if the client set none of them
 */
export function frameAmong(
  { size, aspectRatio, resolution }: { size?: string; aspectRatio?: string; resolution?: string },
  frames: readonly string[],
  report: MediaLossReport,
): string | undefined {
  if (size !== undefined) {
    const requested = sidesOf(size);
    const nearest = nearestFrame(requested, frames);
    const actual = nearest === undefined ? requested : sidesOf(nearest);
    if (actual.width !== requested.width || actual.height !== requested.height)
      report({ field: 'size', how: 'clamped' });
    return nearest;
  }
  const lines = resolution === undefined ? DEFAULT_LINES : linesOf(resolution);
  if (lines === undefined) report({ field: 'resolution', how: 'dropped' });
  if (aspectRatio === undefined && (resolution === undefined || lines === undefined)) return undefined;
  // Vendors count the lines of the default shape. A tier's other shapes have the same area.
  const defaultShape = sidesOf(DEFAULT_SHAPE);
  const shape = sidesOf(aspectRatio ?? DEFAULT_SHAPE);
  const area = ((lines ?? DEFAULT_LINES) ** 2 * defaultShape.width) / defaultShape.height;
  const scale = Math.sqrt(area / (shape.width * shape.height));
  const nearest = nearestFrame({ width: shape.width * scale, height: shape.height * scale }, frames);
  if (nearest === undefined) return undefined;
  const actual = sidesOf(nearest);
  if (aspectRatio !== undefined && shapeBetween(actual, shape) > SAME_SHAPE) {
    report({ field: 'aspectRatio', how: 'clamped' });
  }
  if (resolution !== undefined && lines !== undefined) {
    const off = Math.abs(Math.log((actual.width * actual.height) / area));
    if (off > SAME_TIER) report({ field: 'resolution', how: 'clamped' });
  }
  return nearest;
}
