import { type ImageRequest, type MediaLossReport, type Review, UnsupportedParamsError } from '@sluice/canonical';
import { frameOf } from '../media/fit-frame.ts';
import { countOf, dropFields, limitImages, limitText, promptOf } from '../media/limit-params.ts';
import { frameAmong } from '../media/nearest-frame.ts';
import { type ImageFamily, type ImageFrames, imageFamily, PICTURES } from './image-models.ts';

/** Alibaba docs, `negative_prompt`; of longer ones the rest is cut off without a word. */
const MAX_NEGATIVE = 500;

/** What the vendor will be asked for. */
export interface ImagePlan extends Review {
  path: ImageFamily['path'];
  prompt: string;
  negativePrompt?: string;
  parameters: Record<string, unknown>;
}

/** @throws {UnsupportedParamsError} */
export function planImage(model: string, request: ImageRequest, report: MediaLossReport): ImagePlan {
  const { path, references, max, frames, extends: rewrites, maxPrompt } = imageFamily(model);
  limitImages(request.images, { reference: references.max }, PICTURES);
  if (request.images.length < references.min) {
    throw new UnsupportedParamsError('reference', 'is required by this model');
  }
  const prompt = promptOf(request, maxPrompt);
  const { negativePrompt, seed, watermark, promptExtend } = request;
  limitText('negativePrompt', negativePrompt, MAX_NEGATIVE);
  dropFields(request, ['quality', 'background', 'outputFormat'], report);
  if (!rewrites) dropFields(request, ['promptExtend'], report);
  const size = sizeOf(request, frames, report);
  return {
    path,
    prompt,
    ...(negativePrompt !== undefined && { negativePrompt }),
    parameters: {
      // Always said: of some models the vendor makes four where it is not.
      n: countOf(request, max, report),
      ...(size !== undefined && { size: size.replace('x', '*') }),
      ...(seed !== undefined && { seed }),
      ...(watermark !== undefined && { watermark }),
      ...(rewrites && promptExtend !== undefined && { prompt_extend: promptExtend }),
    },
  };
}

function sizeOf(request: ImageRequest, frames: ImageFrames, report: MediaLossReport): string | undefined {
  switch (frames.kind) {
    case 'none':
      dropFields(request, ['size', 'aspectRatio'], report);
      return undefined;
    case 'listed':
      return frameAmong(request, frames.sizes, report);
    case 'free': {
      const frame = frameOf(request, frames.limits, frames.pixels, report);
      return frame && `${frame.width}x${frame.height}`;
    }
  }
}
