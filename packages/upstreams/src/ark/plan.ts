import type { MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { arkVideo } from '@sluice/vendors';
import { defined, planFrame, planVideo } from '../media/plan/plan.ts';

export interface ArkPlan extends Review {
  prompt: string | undefined;
  options: {
    duration?: number;
    ratio?: string;
    resolution?: string;
    seed?: number;
    watermark?: boolean;
    generate_audio?: boolean;
  };
}

export function planArk(name: string, request: VideoRequest, report: MediaLossReport): ArkPlan {
  const plan = planVideo(arkVideo(name), request, report);
  const { aspectRatio: ratio, resolution } = planFrame(plan, request, report);
  const { prompt, seconds, duration, fields } = plan;
  const { seed, watermark, audio: generate_audio } = fields;
  return { prompt, seconds, options: defined({ duration, ratio, resolution, seed, watermark, generate_audio }) };
}
