import type { ImageRequest, MediaLossReport } from '@sluice/canonical';
import { shapeOf, sides } from '../media/frame-shape.ts';
import { dropFields, limitImages, promptBesideImages } from '../media/limit-params.ts';
import { imageDialectOf } from './dialects.ts';
import { modelPathOf } from './model-path.ts';
import type { FalPlan } from './plan-video.ts';

/** fal's words for shapes, where a size is no object (@ai-sdk/fal, `convertAspectRatioToSize`). */
const NAMED_SIZES: Readonly<Record<string, string>> = {
  '1:1': 'square_hd',
  '16:9': 'landscape_16_9',
  '9:16': 'portrait_16_9',
  '4:3': 'landscape_4_3',
  '3:4': 'portrait_4_3',
};
const SHAPES = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '21:9'];

/**
 * Works out what a model is asked for. Some models have a size, some a shape: they are told both.
 * @throws {UnsupportedParamsError} for what no model can do
 * @throws GatewayError for a name that no model can have
 */
export function planFalImage(model: string, request: ImageRequest, report: MediaLossReport): FalPlan {
  const path = modelPathOf(model);
  limitImages(request.images, { reference: Infinity, mask: 1 });
  dropFields(request, ['watermark', 'promptExtend'], report);
  const prompt = promptBesideImages(request, Infinity);
  const { negativePrompt, n, size, aspectRatio, seed, quality, background, outputFormat } = request;
  const shape = aspectRatio ?? shapeOf(request, SHAPES, () => undefined); // beside the size itself
  const frame = sizeField(imageDialectOf(model).sizeIsWord, size, aspectRatio);
  return {
    path,
    ...(prompt !== undefined && { prompt }),
    fields: {
      ...(negativePrompt !== undefined && { negative_prompt: negativePrompt }),
      ...(n !== undefined && { num_images: n }),
      ...(frame !== undefined && { image_size: frame }),
      ...(shape !== undefined && { aspect_ratio: shape }),
      ...(seed !== undefined && { seed }),
      ...(quality !== undefined && { quality }),
      ...(background !== undefined && { background }),
      ...(outputFormat !== undefined && { output_format: outputFormat }),
    },
  };
}

function sizeField(isWord: boolean, size: string | undefined, aspectRatio: string | undefined): unknown {
  if (size !== undefined) return isWord ? size : sides(size);
  return isWord || aspectRatio === undefined ? undefined : NAMED_SIZES[aspectRatio];
}
