import type { ImageRole, MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { type DashscopeVideo, dashscopeVideo } from '@sluice/vendors';
import { asReferenceIfRequired } from '../media/plan/limit-params.ts';
import { defined, planVideo as planFields } from '../media/plan/plan.ts';
import { frameFields } from './video-frame.ts';

export interface VideoPlan extends Review {
  model: DashscopeVideo;
  roles: ImageRole[];
  input: Record<string, unknown>;
  parameters: Record<string, unknown>;
}

export function planVideo(name: string, request: VideoRequest, report: MediaLossReport): VideoPlan {
  const model = dashscopeVideo(name);
  const images = asReferenceIfRequired(request.images, model.needs?.includes('reference') === true, report);
  const { prompt, seconds, duration, fields } = planFields(model, { ...request, images }, report);
  const { negativePrompt: negative_prompt, promptExtend: prompt_extend, ...others } = fields;
  return {
    model,
    roles: images.map(({ role }) => role),
    seconds,
    input: defined({ prompt, negative_prompt }),
    parameters: defined({
      ...frameFields(request, model, report),
      duration: request.seconds === undefined ? undefined : duration,
      prompt_extend,
      ...others,
    }),
  };
}
