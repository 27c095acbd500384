import type { MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { ANY_VEO, findModel, VEO_VIDEOS } from '@sluice/vendors';
import { defined, planFrame, planVideo } from '../media/plan/plan.ts';

export interface VeoPlan extends Review {
  prompt: string | undefined;
  parameters: { durationSeconds?: number; resolution?: string; aspectRatio?: string; negativePrompt?: string };
}

export function planVeo(name: string, request: VideoRequest, report: MediaLossReport): VeoPlan {
  const known = findModel(VEO_VIDEOS, name);
  // It is unknown whether this model generates sound, so `audio` is not checked.
  const params = known ? request : { ...request, audio: undefined };
  const plan = planVideo(known ?? ANY_VEO, params, report);
  const { aspectRatio, resolution } = planFrame(plan, request, report);
  const { prompt, seconds, duration: durationSeconds, fields } = plan;
  return { prompt, seconds, parameters: defined({ durationSeconds, resolution, aspectRatio, ...fields }) };
}
