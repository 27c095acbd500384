import type { ImageRole, MediaLossReport, VideoRequest } from '@sluice/canonical';
import { minimaxVideo } from '@sluice/vendors';
import { asReferenceIfRequired } from '../media/plan/limit-params.ts';
import { defined, planFrame, planVideo } from '../media/plan/plan.ts';

export interface PlanV1 {
  version: 1;
  prompt: string | undefined;
  seconds: string | undefined;
  roles: ImageRole[];
  options: { duration?: number; resolution?: string; prompt_optimizer?: boolean; aigc_watermark?: boolean };
}

export function planV1(name: string, request: VideoRequest, report: MediaLossReport): PlanV1 {
  const model = minimaxVideo(name);
  const images = asReferenceIfRequired(request.images, model.needs?.includes('reference') === true, report);
  const plan = planVideo(model, { ...request, images }, report);
  const { size, aspectRatio } = request;
  // There is no field for the aspect ratio. The first frame determines it; without one, it is 16:9.
  if (size !== undefined) report({ field: 'size', how: 'replaced' });
  if (aspectRatio !== undefined && (aspectRatio !== '16:9' || images.length > 0)) {
    report({ field: 'aspectRatio', how: 'dropped' });
  }
  const withoutAspectRatios = { ...plan, model: { ...plan.model, aspectRatios: [] } };
  const { resolution } = planFrame(withoutAspectRatios, { ...request, aspectRatio: undefined }, report);
  const { prompt, seconds, duration, fields } = plan;
  const { promptExtend: prompt_optimizer, watermark: aigc_watermark } = fields;
  const options = defined({ duration, resolution, prompt_optimizer, aigc_watermark });
  return { version: 1, prompt, seconds, roles: images.map(({ role }) => role), options };
}
