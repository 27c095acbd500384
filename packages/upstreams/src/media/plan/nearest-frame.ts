import type { MediaLossReport } from '@sluice/canonical';
import { linesOf } from './frame-shape.ts';

/** Shapes that differ by less differ only by rounding. */
const SAME_SHAPE = 0.03;
/** Areas that differ by less are the same tier. */
const SAME_TIER = 0.2;
/** Lines of a frame if the client set only a shape. */
const USUAL_LINES = 720;
const USUAL_SHAPE = '16:9';

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

export function nearestFrame(wanted: Sides, frames: readonly string[]): string | undefined {
  const far = (frame: string): number => {
    const one = sidesOf(frame);
    const area = Math.abs(Math.log((one.width * one.height) / (wanted.width * wanted.height)));
    return 10 * shapeBetween(one, wanted) + area;
  };
  return frames.toSorted((one, other) => far(one) - far(other))[0];
}

/**
 * The frame for a model with a fixed list: the requested size, or one of the requested shape and lines, else the
 * nearest, reported as clamped.
 * @returns undefined if the client set none of them
 */
export function frameAmong(
  { size, aspectRatio, resolution }: { size?: string; aspectRatio?: string; resolution?: string },
  frames: readonly string[],
  report: MediaLossReport,
): string | undefined {
  if (size !== undefined) {
    const wanted = sidesOf(size);
    const nearest = nearestFrame(wanted, frames);
    const made = nearest === undefined ? wanted : sidesOf(nearest);
    if (made.width !== wanted.width || made.height !== wanted.height) report({ field: 'size', how: 'clamped' });
    return nearest;
  }
  const lines = resolution === undefined ? USUAL_LINES : linesOf(resolution);
  if (lines === undefined) report({ field: 'resolution', how: 'dropped' });
  if (aspectRatio === undefined && (resolution === undefined || lines === undefined)) return undefined;
  // Vendors count the lines of the default shape; other shapes of a tier have the same area.
  const usual = sidesOf(USUAL_SHAPE);
  const shape = sidesOf(aspectRatio ?? USUAL_SHAPE);
  const area = ((lines ?? USUAL_LINES) ** 2 * usual.width) / usual.height;
  const scale = Math.sqrt(area / (shape.width * shape.height));
  const nearest = nearestFrame({ width: shape.width * scale, height: shape.height * scale }, frames);
  if (nearest === undefined) return undefined;
  const made = sidesOf(nearest);
  if (aspectRatio !== undefined && shapeBetween(made, shape) > SAME_SHAPE) {
    report({ field: 'aspectRatio', how: 'clamped' });
  }
  if (resolution !== undefined && lines !== undefined) {
    const off = Math.abs(Math.log((made.width * made.height) / area));
    if (off > SAME_TIER) report({ field: 'resolution', how: 'clamped' });
  }
  return nearest;
}
