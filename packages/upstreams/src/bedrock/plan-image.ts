import { type ImageRequest, type MediaLossReport, type Review, UnsupportedParamsError } from '@sluice/canonical';
import { type BedrockImage, bedrockImage } from '@sluice/vendors';
import { sides } from '../media/plan/aspect-ratio.ts';
import { frameOf } from '../media/plan/fit-frame.ts';
import { dropFields } from '../media/plan/limit-params.ts';
import { frameAmong } from '../media/plan/nearest-frame.ts';
import { defined, hasImage, planImage } from '../media/plan/plan.ts';
import { limitedSeed } from './seed.ts';

/** Images without a size have this number of pixels. */
const USUAL_PIXELS = 1024 * 1024;

export type ImageTask = 'TEXT_IMAGE' | 'IMAGE_VARIATION' | 'INPAINTING';

export interface BedrockImagePlan extends Review {
  task: ImageTask;
  /** The fields of the task's parameters, without the images. */
  texts: { text?: string; negativeText?: string };
  config: { numberOfImages: number; quality?: string; width?: number; height?: number; seed?: number };
}

/** @throws {UnsupportedParamsError} */
export function planBedrockImage(name: string, request: ImageRequest, report: MediaLossReport): BedrockImagePlan {
  const model = bedrockImage(name);
  const { prompt: text, n: numberOfImages = 1, fields } = planImage(model, request, report);
  const { negativePrompt: negativeText, quality, seed } = fields;
  const task = taskOf(request);
  return {
    task,
    texts: defined({ text, negativeText }),
    config: defined({
      numberOfImages,
      quality: qualityOf(quality, report),
      ...sizeOf(task, model, request, report),
      seed: limitedSeed(seed, report),
    }),
  };
}

function taskOf(request: ImageRequest): ImageTask {
  const references = request.images.filter(({ role }) => role === 'reference').length;
  if (!hasImage(request, 'mask')) return references > 0 ? 'IMAGE_VARIATION' : 'TEXT_IMAGE';
  if (references === 1) return 'INPAINTING';
  throw new UnsupportedParamsError('mask', 'requires exactly one image to edit');
}

/** An edited image has the size of the original. */
function sizeOf(task: ImageTask, { sizes, limits }: BedrockImage, request: ImageRequest, report: MediaLossReport) {
  if (task === 'INPAINTING') dropFields(request, ['size', 'aspectRatio'], report);
  else if (limits) return frameOf(request, limits, USUAL_PIXELS, report);
  else if (sizes) {
    const size = frameAmong(request, sizes, report);
    return size === undefined ? undefined : sides(size);
  }
  return undefined;
}

const PREMIUM = new Set(['premium', 'high', 'hd']);

/** Clients of OpenAI's images send its names of qualities. */
function qualityOf(quality: string | undefined, report: MediaLossReport): string | undefined {
  if (quality === undefined || quality === 'auto') return undefined;
  const sent = PREMIUM.has(quality) ? 'premium' : 'standard';
  if (sent !== quality) report({ field: 'quality', how: 'replaced' });
  return sent;
}
