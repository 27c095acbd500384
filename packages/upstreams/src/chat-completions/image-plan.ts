import { type ImageRequest, type MediaLossReport, type Review, UnsupportedParamsError } from '@sluice/canonical';
import { openAiImage } from '@sluice/vendors';
import { defined, planImage as planFields } from '../media/plan/plan.ts';
import { sizeOf } from './image-size.ts';

const EXTENSIONS = {
  negativePrompt: 'negative_prompt',
  seed: 'seed',
  watermark: 'watermark',
  promptExtend: 'prompt_extend',
} as const;

export interface ImagePlan extends Review {
  prompt?: string;
  n?: number;
  size?: string;
  quality?: string;
  background?: string;
  output_format?: string;
  response_format?: 'b64_json';
}

export function planImage(name: string, request: ImageRequest, report: MediaLossReport): ImagePlan {
  const model = openAiImage(name);
  const { metadata = {}, images } = request;
  const extended = Object.entries(EXTENSIONS).filter(([, option]) => option in metadata);
  const hidden = Object.fromEntries(extended.map(([field]) => [field, undefined]));
  const { prompt, n, fields } = planFields(model, { ...request, ...hidden }, report);
  if (images.length > 0 && images.every(({ role }) => role === 'mask')) {
    throw new UnsupportedParamsError('mask', 'requires an image to edit');
  }
  const { quality, background, outputFormat: output_format } = fields;
  const size = sizeOf(request, model, report);
  const response_format = model.requestsBytes ? ('b64_json' as const) : undefined;
  return defined({ prompt, n, size, quality, background, output_format, response_format });
}
