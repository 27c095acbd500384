import type { ImageRequest, MediaLossReport } from '@sluice/canonical';
import type { OpenAiImage } from '@sluice/vendors';
import { sides } from '../media/plan/aspect-ratio.ts';
import { nearestFrame } from '../media/plan/nearest-frame.ts';

const STEP = 16;
const DEFAULT_SIDE = 1024;
const MAX_RATIO_LENGTH = 3;

export function sizeOf(
  { size, aspectRatio }: ImageRequest,
  model: OpenAiImage,
  report: MediaLossReport,
): string | undefined {
  if (size === undefined) {
    if (aspectRatio === undefined) return undefined;
    report({ field: 'aspectRatio', how: 'replaced' });
    const [width = 1, height = 1] = aspectRatio.split(':').map(Number);
    return supportedSize(frameOfRatio(width / height), model);
  }
  const nearest = supportedSize(size, model);
  if (nearest !== size) report({ field: 'size', how: 'clamped' });
  return nearest;
}

function frameOfRatio(ratio: number): string {
  return inSteps(DEFAULT_SIDE * Math.sqrt(ratio), DEFAULT_SIDE / Math.sqrt(ratio));
}

function inSteps(...both: [width: number, height: number]): string {
  return both.map((side) => Math.max(STEP, STEP * Math.round(side / STEP))).join('x');
}

function supportedSize(size: string, model: OpenAiImage): string {
  const { width, height } = sides(size);
  if (model.sizes) return nearestFrame({ width, height }, model.sizes) ?? size;
  if (model.longest === undefined) return size;
  const ratio = Math.min(Math.max(width / height, 1 / MAX_RATIO_LENGTH), MAX_RATIO_LENGTH);
  const side = Math.min(Math.max(width, height), model.longest);
  return ratio < 1 ? inSteps(side * ratio, side) : inSteps(side, side / ratio);
}
