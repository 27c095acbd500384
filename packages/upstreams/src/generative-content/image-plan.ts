import type { ImageRequest, MediaLossReport, Review } from '@sluice/canonical';
import { GEMINI_IMAGE, hasOneSize } from '@sluice/vendors';
import { aspectRatioOf, sides } from '../media/plan/aspect-ratio.ts';
import { defined, planImage } from '../media/plan/plan.ts';
import { modelPath } from './model-path.ts';

export interface GeminiImagePlan extends Review {
  path: string;
  prompt: string | undefined;
  seed?: number;
  imageConfig: { aspectRatio?: string; imageSize?: string };
}

export function planGeminiImage(name: string, request: ImageRequest, report: MediaLossReport): GeminiImagePlan {
  const path = `${modelPath(name)}:generateContent`;
  const { prompt, fields } = planImage(GEMINI_IMAGE, request, report);
  const aspectRatio = aspectRatioOf(request, GEMINI_IMAGE.aspectRatios ?? [], report);
  const imageSize = hasOneSize(name) ? undefined : imageSizeOf(request);
  return { path, prompt, ...fields, imageConfig: defined({ aspectRatio, imageSize }) };
}

/** Returns Gemini's name for the size. Returns undefined for the default `1K`, which not every model accepts. */
function imageSizeOf({ size }: ImageRequest): string | undefined {
  if (size === undefined) return undefined;
  const { width, height } = sides(size);
  const side = Math.sqrt(width * height);
  if (side > 1.5 * 2048) return '4K';
  return side > 1.5 * 1024 ? '2K' : undefined;
}
