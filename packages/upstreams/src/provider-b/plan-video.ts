import type { MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { jimengVideo } from '@sluice/vendors';
import { dropFields } from '../media/plan/limit-params.ts';
import { defined, planFrame, planVideo as planFields } from '../media/plan/plan.ts';

/** Jimeng docs, `frames`: the number of frames is 24 × seconds + 1. */
const FRAMES_A_SECOND = 24;

export interface VideoPlan extends Review {
  fields: Record<string, unknown>;
}

export function planVideo(name: string, request: VideoRequest, report: MediaLossReport): VideoPlan {
  const model = jimengVideo(name);
  const plan = planFields(model, request, report);
  const { prompt, seconds, duration = 0, fields } = plan;
  const isSent = model.sendsFrames && request.seconds !== undefined;
  const frames = isSent ? Math.round(FRAMES_A_SECOND * duration) + 1 : undefined;
  return {
    seconds,
    fields: defined({ prompt, frames, aspect_ratio: aspectRatioFor(plan, request, report), ...fields }),
  };
}

/** Jimeng docs, `aspect_ratio`: supported only for text-to-video. Other videos have the aspect ratio of their image. */
function aspectRatioFor(plan: ReturnType<typeof planFields>, request: VideoRequest, report: MediaLossReport) {
  if (request.images.length === 0) return planFrame(plan, request, report).aspectRatio;
  dropFields(request, ['resolution', 'aspectRatio', 'size'], report);
  return undefined;
}
