import type { MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { ANY_VEO, findModel, VEO_VIDEOS, type VideoModel } from '@sluice/vendors';
import { defined, planFrame, planVideo } from '../media/plan/plan.ts';

export interface VeoPlan extends Review {
  prompt: string | undefined;
  parameters: {
    durationSeconds?: number;
    resolution?: string;
    aspectRatio?: string;
    negativePrompt?: string;
    seed?: number;
    generateAudio?: boolean;
  };
}

export function planVeo(name: string, request: VideoRequest, report: MediaLossReport): VeoPlan {
  const known = findModel(VEO_VIDEOS, name);
  // It is unknown whether this model generates sound, so `audio` is not checked.
  const params = known ? request : { ...request, audio: undefined };
  return planModel(known ?? ANY_VEO, params, report);
}

/** On Vertex AI, models also accept a seed, and those with sound can omit it (@google/genai 3.1.0). */
export function planVertexVeo(name: string, request: VideoRequest, report: MediaLossReport): VeoPlan {
  const model = findModel(VEO_VIDEOS, name) ?? ANY_VEO;
  const { audio, ...fixed } = model.fixed ?? {};
  const optionalFields = [...model.optionalFields, 'seed'] as const;
  const own: VideoModel = audio
    ? { ...model, fixed, optionalFields: [...optionalFields, 'audio'] }
    : { ...model, optionalFields };
  return planModel(own, request, report);
}

function planModel(model: VideoModel, request: VideoRequest, report: MediaLossReport): VeoPlan {
  const plan = planVideo(model, request, report);
  const { aspectRatio, resolution } = planFrame(plan, request, report);
  const { prompt, seconds, duration: durationSeconds, fields } = plan;
  const { audio: generateAudio, ...others } = fields;
  const parameters = defined({ durationSeconds, resolution, aspectRatio, ...others, generateAudio });
  return { prompt, seconds, parameters };
}
