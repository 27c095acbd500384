import type { MediaLossReport } from '@sluice/canonical';
import type { FrameLimits } from '@sluice/vendors';
import { sides } from './aspect-ratio.ts';

export interface Frame {
  width: number;
  height: number;
}

/**
 * Returns the frame for a model that accepts any frame within limits: the requested size or, if it is outside the
 * limits, a similar one (reported as clamped). If the client set only an aspect ratio, uses the default number of
 * pixels.
 * @param defaultPixels number of pixels (width × height)
 * @returns undefined if the client set neither
 */
export function frameOf(
  { size, aspectRatio }: { size?: string; aspectRatio?: string },
  limits: FrameLimits,
  defaultPixels: number,
  report: MediaLossReport,
): Frame | undefined {
  if (size !== undefined) {
    const requested = sides(size);
    if (isWithin(requested, limits)) return requested;
    report({ field: 'size', how: 'clamped' });
    return fitFrame(requested.width / requested.height, requested.width * requested.height, limits);
  }
  if (aspectRatio === undefined) return undefined;
  const [width = 1, height = 1] = aspectRatio.split(':').map(Number);
  if (Math.max(width / height, height / width) > limits.maxRatio) report({ field: 'aspectRatio', how: 'clamped' });
  return fitFrame(width / height, defaultPixels, limits);
}

function isWithin({ width, height }: Frame, { area, maxRatio, side, step, isStepRequired }: FrameLimits): boolean {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  const pixels = long * short;
  const sidesFit = side === undefined || (short >= side.min && long <= side.max);
  if (isStepRequired && (width % step !== 0 || height % step !== 0)) return false;
  return sidesFit && pixels >= area.min && pixels <= area.max && long <= short * maxRatio;
}

function fitFrame(ratio: number, pixels: number, { area, maxRatio, side, step }: FrameLimits): Frame {
  const { min, max } = side ?? { min: 1, max: Number.POSITIVE_INFINITY };
  const longToShort = Math.min(Math.max(ratio, 1 / ratio), maxRatio);
  const fewest = Math.max(area.min, min * min * longToShort);
  const target = Math.min(Math.max(pixels, fewest), area.max, (max * max) / longToShort);
  let long = step * Math.round(Math.sqrt(target * longToShort) / step);
  let short = step * Math.round(Math.sqrt(target / longToShort) / step);
  while (long * short < area.min || short < min) short += step;
  while (long * short > area.max || long > max || long > short * maxRatio) long -= step;
  return ratio < 1 ? { width: short, height: long } : { width: long, height: short };
}
