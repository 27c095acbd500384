import type { ImageRequest, MediaLossReport } from '@sluice/canonical';
import { FAL_SIZES, falImage } from '@sluice/vendors';
import { aspectRatioOf, sides } from '../media/plan/aspect-ratio.ts';
import { defined, planImage } from '../media/plan/plan.ts';
import { modelPathOf } from './model-path.ts';
import type { FalPlan } from './plan-video.ts';

const ASPECT_RATIOS = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '21:9'];

/**
 * Plans an image. Some models accept a size and others an aspect ratio, so the plan contains both.
 * @throws {UnsupportedParamsError} @throws GatewayError if the name is invalid
 */
export function planFalImage(name: string, request: ImageRequest, report: MediaLossReport): FalPlan {
  const path = modelPathOf(name);
  const model = falImage(name);
  const { prompt, n: num_images, fields } = planImage(model, request, report);
  const { negativePrompt: negative_prompt, seed, quality, background, outputFormat: output_format } = fields;
  const { size, aspectRatio } = request;
  // Sent in addition to the size.
  const aspect_ratio = aspectRatio ?? aspectRatioOf(request, ASPECT_RATIOS, () => undefined);
  const image_size = sizeField(model.sizeIsText, size, aspectRatio);
  const input = { negative_prompt, num_images, image_size, aspect_ratio, seed, quality, background, output_format };
  return { path, prompt, fields: defined(input) };
}

function sizeField(isText: boolean, size: string | undefined, aspectRatio: string | undefined): unknown {
  if (size !== undefined) return isText ? size : sides(size);
  return isText || aspectRatio === undefined ? undefined : FAL_SIZES[aspectRatio];
}
