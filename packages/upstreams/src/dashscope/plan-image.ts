import type { ImageRequest, MediaLossReport, Review } from '@sluice/canonical';
import { type DashscopeImage, dashscopeImage } from '@sluice/vendors';
import { frameOf } from '../media/plan/fit-frame.ts';
import { dropFields } from '../media/plan/limit-params.ts';
import { frameAmong } from '../media/plan/nearest-frame.ts';
import { defined, planImage as planFields } from '../media/plan/plan.ts';

export interface ImagePlan extends Review {
  path: DashscopeImage['path'];
  prompt: string | undefined;
  negativePrompt: string | undefined;
  parameters: Record<string, unknown>;
}

export function planImage(name: string, request: ImageRequest, report: MediaLossReport): ImagePlan {
  const model = dashscopeImage(name);
  // Always send `n`, because some models generate four images without it.
  const { prompt, n = 1, fields } = planFields(model, request, report);
  const { negativePrompt, seed, watermark, promptExtend: prompt_extend } = fields;
  const size = sizeOf(request, model.size, report)?.replace('x', '*');
  return {
    path: model.path,
    prompt,
    negativePrompt,
    parameters: defined({ n, size, seed, watermark, prompt_extend }),
  };
}

function sizeOf(request: ImageRequest, size: DashscopeImage['size'], report: MediaLossReport): string | undefined {
  if ('limits' in size) {
    const frame = frameOf(request, size.limits, size.pixels, report);
    return frame && `${frame.width}x${frame.height}`;
  }
  if (size.length > 0) return frameAmong(request, size, report);
  dropFields(request, ['size', 'aspectRatio'], report);
  return undefined;
}
