import type { MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { ANY_RUNWAY_VIDEO, type RunwayVideo, runwayVideo } from '@sluice/vendors';
import { defined, hasFrame, type PlannedFrame, planFrame, planVideo } from '../media/plan/plan.ts';

export interface RunwayVideoPlan extends Review {
  /** Whether the video starts from a first frame. If so, Runway uses a separate endpoint. */
  fromImage: boolean;
  options: {
    promptText?: string;
    ratio?: string;
    resolution?: string;
    duration?: number;
    seed?: number;
    audio?: boolean;
    negativePrompt?: string;
  };
}

export function planRunwayVideo(name: string, request: VideoRequest, report: MediaLossReport): RunwayVideoPlan {
  const known = runwayVideo(name);
  const plan = planVideo(known ?? ANY_RUNWAY_VIDEO, request, report);
  const { prompt: promptText, seconds, duration, fields } = plan;
  const frame = known ? ratioOf(plan.model, planFrame(plan, request, report)) : asRequested(request, report);
  return { seconds, fromImage: hasFrame(request), options: defined({ promptText, ...frame, duration, ...fields }) };
}

function ratioOf(model: RunwayVideo, { frame, aspectRatio, resolution }: PlannedFrame) {
  if (model.autoRatio) return { ratio: `auto_${resolution ?? '720p'}` };
  return { ratio: frame ?? aspectRatio ?? (model.needsFrame ? model.frames?.[0] : undefined), resolution };
}

function asRequested({ size, aspectRatio, resolution }: VideoRequest, report: MediaLossReport) {
  if (size === undefined) return { ratio: aspectRatio, resolution };
  if (aspectRatio !== undefined) report({ field: 'aspectRatio', how: 'dropped' });
  return { ratio: size.replace('x', ':') };
}
