import type { MediaLossReport, VideoRequest } from '@sluice/canonical';
import { minimaxVideo } from '@sluice/vendors';
import { defined, planFrame, planVideo } from '../media/plan/plan.ts';

/** The values that are sent if the client sets none. */
const DEFAULTS = { seconds: '5', resolution: '768P', ratio: '16:9' };

export interface PlanV2 {
  version: 2;
  prompt: string | undefined;
  seconds: string;
  options: { duration: number; resolution: string; ratio?: string; aigc_watermark?: boolean };
}

export function planV2(name: string, request: VideoRequest, report: MediaLossReport): PlanV2 {
  const plan = planVideo(minimaxVideo(name), request, report);
  const { aspectRatio, resolution = DEFAULTS.resolution } = planFrame(plan, request, report);
  const { prompt, seconds = DEFAULTS.seconds, fields } = plan;
  // MiniMax docs: text-to-video requires an aspect ratio, requests with references may have one, and requests with
  // frames ignore it.
  const ratio = aspectRatio ?? (request.images.length === 0 ? DEFAULTS.ratio : undefined);
  const options = defined({ duration: Number(seconds), resolution, ratio, aigc_watermark: fields.watermark });
  return { version: 2, prompt, seconds, options };
}
