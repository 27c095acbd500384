import type { ImageRequest, MediaLossReport, Review } from '@sluice/canonical';
import { jimengImage } from '@sluice/vendors';
import { frameOf } from '../media/plan/fit-frame.ts';
import { dropFields } from '../media/plan/limit-params.ts';
import { defined, planImage as planFields } from '../media/plan/plan.ts';

export interface ImagePlan extends Review {
  fields: Record<string, unknown>;
  resultOptions: string;
}

export function planImage(name: string, request: ImageRequest, report: MediaLossReport): ImagePlan {
  const model = jimengImage(name);
  const { prompt, fields } = planFields(model, request, report);
  const frame = frameOf(request, model.frame, model.pixels, report);
  const { seed, promptExtend: use_pre_llm } = fields;
  // Jimeng docs, image 4.0: "judges the number of images from the prompt". Only `force_single` limits this number.
  const isOne = request.n === undefined || request.n === 1;
  if (model.countsByPrompt && !isOne) dropFields(request, ['n'], report);
  const force_single = model.countsByPrompt && isOne ? true : undefined;
  return {
    fields: defined({ prompt, ...frame, seed, use_pre_llm, force_single }),
    resultOptions: JSON.stringify({
      return_url: true, // The default is base64.
      ...(request.watermark !== undefined && { logo_info: { add_logo: request.watermark } }),
    }),
  };
}
