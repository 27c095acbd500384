import type { MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { viduVideo } from '@sluice/vendors';
import { defined, hasImage, planFrame, planVideo } from '../media/plan/plan.ts';

export interface ViduPlan extends Review {
  endpoint: '/text2video' | '/img2video' | '/start-end2video' | '/reference2video';
  prompt: string | undefined;
  options: {
    duration?: number;
    resolution?: string;
    aspect_ratio?: string;
    seed?: number;
    audio?: boolean;
    watermark?: boolean;
  };
}

export function planVidu(name: string, request: VideoRequest, report: MediaLossReport): ViduPlan {
  const plan = planVideo(viduVideo(name), request, report);
  const { aspectRatio: aspect_ratio, resolution } = planFrame(plan, request, report);
  const { prompt, seconds, duration, fields } = plan;
  const options = defined({ duration, resolution, aspect_ratio, ...fields });
  return { endpoint: endpointOf(request), prompt, seconds, options };
}

function endpointOf(request: VideoRequest): ViduPlan['endpoint'] {
  if (hasImage(request, 'reference')) return '/reference2video';
  if (hasImage(request, 'last_frame')) return '/start-end2video';
  return hasImage(request, 'first_frame') ? '/img2video' : '/text2video';
}
