import type { MediaLossReport } from '@sluice/canonical';
import { linesOf } from './aspect-ratio.ts';

/** A smaller difference between two aspect ratios is only due to rounding. */
const SAME_ASPECT_RATIO = 0.03;
/** Two areas with a smaller difference belong to the same tier. */
const SAME_TIER = 0.2;
/** Number of lines if the client set only an aspect ratio. */
const DEFAULT_LINES = 720;
const DEFAULT_ASPECT_RATIO = '16:9';

interface Sides {
  width: number;
  height: number;
}

function sidesOf(frame: string): Sides {
  const [width = 1, height = 1] = frame.split(/[:x]/).map(Number);
  return { width, height };
}

function aspectRatioDistance(one: Sides, other: Sides): number {
  return Math.abs(Math.log(one.width / one.height / (other.width / other.height)));
}

export function nearestFrame(requested: Sides, frames: readonly string[]): string | undefined {
  const far = (frame: string): number => {
    const one = sidesOf(frame);
    const area = Math.abs(Math.log((one.width * one.height) / (requested.width * requested.height)));
    return 10 * aspectRatioDistance(one, requested) + area;
  };
  return frames.toSorted((one, other) => far(one) - far(other))[0];
}

/**
 * Returns the frame for a model with a fixed list of frames: the requested size, a frame with the requested aspect
 * ratio and lines, or otherwise the nearest frame (reported as clamped).
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
  // A tier's number of lines applies to the default aspect ratio. Frames with other aspect ratios have the same area.
  const defaultSides = sidesOf(DEFAULT_ASPECT_RATIO);
  const requestedSides = sidesOf(aspectRatio ?? DEFAULT_ASPECT_RATIO);
  const area = ((lines ?? DEFAULT_LINES) ** 2 * defaultSides.width) / defaultSides.height;
  const scale = Math.sqrt(area / (requestedSides.width * requestedSides.height));
  const nearest = nearestFrame({ width: requestedSides.width * scale, height: requestedSides.height * scale }, frames);
  if (nearest === undefined) return undefined;
  const actual = sidesOf(nearest);
  if (aspectRatio !== undefined && aspectRatioDistance(actual, requestedSides) > SAME_ASPECT_RATIO) {
    report({ field: 'aspectRatio', how: 'clamped' });
  }
  if (resolution !== undefined && lines !== undefined) {
    const off = Math.abs(Math.log((actual.width * actual.height) / area));
    if (off > SAME_TIER) report({ field: 'resolution', how: 'clamped' });
  }
  return nearest;
}
