import type { MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { falVideo } from '@sluice/vendors';
import { defined, planFrame, planVideo } from '../media/plan/plan.ts';
import { type ModelPath, modelPathOf } from './model-path.ts';

export interface FalPlan extends Review {
  path: ModelPath;
  prompt: string | undefined;
  /** Input fields under the model's names or, for unknown models, the most common names. */
  fields: Record<string, unknown>;
}

/**
 * Plans a video. fal's models use different field names. Unknown models get the most common names and ignore fields
 * that they do not support.
 * @throws {UnsupportedParamsError} @throws GatewayError if the name is invalid
 */
export function planFalVideo(name: string, request: VideoRequest, report: MediaLossReport): FalPlan {
  const path = modelPathOf(name);
  const model = falVideo(name);
  const plan = planVideo(model, request, report);
  const { aspectRatio: aspect_ratio, resolution } = planFrame(plan, request, report);
  const { prompt, seconds, fields } = plan;
  const { negativePrompt: negative_prompt, seed, audio: generate_audio } = fields;
  const duration = plan.duration === undefined ? undefined : model.duration(plan.duration);
  const input = defined({ negative_prompt, duration, aspect_ratio, resolution, seed, generate_audio });
  return { path, prompt, seconds, fields: input };
}
