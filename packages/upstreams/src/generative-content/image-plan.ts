import type { ImageRequest, MediaLossReport, Review } from '@sluice/canonical';
import { shapeOf, sides } from '../media/frame-shape.ts';
import { countOf, dropFields, limitImages, promptOf } from '../media/limit-params.ts';
import { modelPath } from './model-path.ts';

/** Gemini API docs, "Image generation". */
const SHAPES = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];
const MAX_IMAGES = 14;
/** The one family that makes a single size. */
const ONE_SIZE = /^(?:models\/)?gemini-2\.5-/;

/** What a model is asked for, by Gemini's names. */
export interface GeminiImagePlan extends Review {
  path: string;
  prompt: string;
  seed?: number;
  imageConfig: { aspectRatio?: string; imageSize?: string };
}

/**
 * Works out what a model is asked for. One answer holds one image.
 * @throws {UnsupportedParamsError}
 * @throws GatewayError for a name that no model can have
 */
export function planGeminiImage(model: string, request: ImageRequest, report: MediaLossReport): GeminiImagePlan {
  const path = `${modelPath(model)}:generateContent`;
  limitImages(request.images, { reference: MAX_IMAGES });
  const prompt = promptOf(request, Infinity);
  dropFields(request, ['negativePrompt', 'quality', 'background', 'outputFormat', 'watermark', 'promptExtend'], report);
  countOf(request, 1, report);
  const aspectRatio = shapeOf(request, SHAPES, report);
  const imageSize = ONE_SIZE.test(model) ? undefined : imageSizeOf(request);
  return {
    path,
    prompt,
    ...(request.seed !== undefined && { seed: request.seed }),
    imageConfig: {
      ...(aspectRatio !== undefined && { aspectRatio }),
      ...(imageSize !== undefined && { imageSize }),
    },
  };
}

/** Gemini's word for the area of a size; nothing for its usual one, `1K`, which not every model can be told. */
function imageSizeOf({ size }: ImageRequest): string | undefined {
  if (size === undefined) return undefined;
  const { width, height } = sides(size);
  const side = Math.sqrt(width * height);
  if (side > 1.5 * 2048) return '4K';
  return side > 1.5 * 1024 ? '2K' : undefined;
}
