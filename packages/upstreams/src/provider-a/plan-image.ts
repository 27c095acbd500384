import { type ImageRequest, type MediaLossReport, type Review } from '@sluice/canonical';
import { shapeOf, sides } from '../media/frame-shape.ts';
import { countOf, dropFields, limitImages, limitText, promptOf } from '../media/limit-params.ts';
import { PICTURES, vendorName } from './models.ts';

/** Kling docs: of `prompt` and `negative_prompt` alike. */
const MAX_TEXT = 2500;
const MAX_IMAGES = 9;
const SHAPES = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9'] as const;
/** Pixels of the longer side above which the `2k` models are asked for more than their usual `1k`. */
const LONG_SIDE = 1536;

/** The vendor's paths; a job is found under the one alone that accepted it. */
export type ImagePath = '/v1/images/generations' | '/v1/images/multi-image2image' | '/v1/images/omni-image';

/** What the vendor will be asked for. */
export interface ImagePlan extends Review {
  path: ImagePath;
  /** The body, but for the model, the pictures and what belongs to the attempt. */
  fields: Record<string, unknown>;
}

/**
 * Kling docs, "Image generation": one picture is followed by `generations`, two to four by `multi-image2image`, and up
 * to ten by the `o1` models.
 * @throws {UnsupportedParamsError}
 */
export function planImage(model: string, request: ImageRequest, report: MediaLossReport): ImagePlan {
  const name = vendorName(model);
  const path = pathOf(name, request);
  const prompt = promptOf(request, MAX_TEXT);
  dropFields(request, ['seed', 'quality', 'background', 'outputFormat', 'promptExtend'], report);
  // Kling docs: not taken beside a picture; an `o1` model has no such field.
  const hasNegative = path === '/v1/images/generations' && request.images.length === 0;
  if (hasNegative) limitText('negativePrompt', request.negativePrompt, MAX_TEXT);
  else dropFields(request, ['negativePrompt'], report);
  const shape = shapeOf(request, SHAPES, report);
  const isLarge = request.size !== undefined && Math.max(...Object.values(sides(request.size))) > LONG_SIDE;
  return {
    path,
    fields: {
      prompt,
      n: countOf(request, MAX_IMAGES, report),
      ...(hasNegative && request.negativePrompt !== undefined && { negative_prompt: request.negativePrompt }),
      ...(shape !== undefined && { aspect_ratio: shape }),
      ...(isLarge && path !== '/v1/images/multi-image2image' && !name.startsWith('kling-v1') && { resolution: '2k' }),
      ...(request.watermark !== undefined && { watermark_info: { enabled: request.watermark } }),
    },
  };
}

function pathOf(name: string, { images }: ImageRequest): ImagePath {
  if (/^kling-image-o\d|-omni$/.test(name)) {
    limitImages(images, { reference: 10 }, PICTURES);
    return '/v1/images/omni-image';
  }
  if (images.length < 2) {
    limitImages(images, { reference: 1 }, PICTURES);
    return '/v1/images/generations';
  }
  limitImages(images, { reference: name.startsWith('kling-v1') ? 1 : 4 }, PICTURES);
  return '/v1/images/multi-image2image';
}
