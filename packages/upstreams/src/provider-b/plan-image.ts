import type { ImageRequest, MediaLossReport, Review } from '@sluice/canonical';
import { frameOf } from '../media/fit-frame.ts';
import { countOf, dropFields, limitImages, promptOf } from '../media/limit-params.ts';
import { IMAGE_INPUTS, imageFamily, type ImageFamily } from './models.ts';

/** Jimeng docs: "at most 800 characters". */
const MAX_PROMPT = 800;

/** What the vendor will be asked for. */
export interface ImagePlan extends Review {
  /** The body, but for the model and the pictures. */
  fields: Record<string, unknown>;
  /** Goes along with each poll: JSON as text. */
  resultOptions: string;
}

/** @throws {UnsupportedParamsError} */
export function planImage(model: string, request: ImageRequest, report: MediaLossReport): ImagePlan {
  const family = imageFamily(model);
  limitImages(request.images, { reference: family.references }, IMAGE_INPUTS);
  const prompt = promptOf(request, MAX_PROMPT);
  dropFields(request, ['negativePrompt', 'quality', 'background', 'outputFormat'], report);
  if (!family.seeded) dropFields(request, ['seed', 'promptExtend'], report);
  return {
    fields: {
      prompt,
      ...frameOf(request, family.frame, family.pixels, report),
      ...(family.seeded && request.seed !== undefined && { seed: request.seed }),
      ...(family.seeded && request.promptExtend !== undefined && { use_pre_llm: request.promptExtend }),
      ...(isOne(request, family, report) && family.countsByPrompt && { force_single: true }),
    },
    resultOptions: JSON.stringify({
      return_url: true, // else the images come as base64
      ...(request.watermark !== undefined && { logo_info: { add_logo: request.watermark } }),
    }),
  };
}

/** Jimeng docs, image 4.0: "judges the number of images from the prompt", which no field but `force_single` bounds. */
function isOne(request: ImageRequest, { countsByPrompt }: ImageFamily, report: MediaLossReport): boolean {
  if (!countsByPrompt) return countOf(request, 1, report) === 1;
  if (request.n === undefined || request.n === 1) return true;
  dropFields(request, ['n'], report);
  return false;
}
