import type { MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { falVideo } from '@sluice/vendors';
import { defined, planFrame, planVideo } from '../media/plan.ts';
import { type ModelPath, modelPathOf } from './model-path.ts';

/** What a model is called with. */
export interface FalPlan extends Review {
  path: ModelPath;
  prompt: string | undefined;
  /** Fields of the input: under the model's names, or the most common ones. */
  fields: Record<string, unknown>;
}

/**
 * fal has no names that all its models share: the most common are sent to unknown models, which ignore what they do not
 * know.
 * @throws {UnsupportedParamsError} @throws GatewayError for a name that no model can have
 */
export function planFalVideo(name: string, request: VideoRequest, report: MediaLossReport): FalPlan {
  const path = modelPathOf(name);
  const model = falVideo(name);
  const plan = planVideo(model, request, report);
  const { shape: aspect_ratio, resolution } = planFrame(plan, request, report);
  const { prompt, seconds, fields } = plan;
  const { negativePrompt: negative_prompt, seed, audio: generate_audio } = fields;
  const duration = plan.duration === undefined ? undefined : model.duration(plan.duration);
  const input = defined({ negative_prompt, duration, aspect_ratio, resolution, seed, generate_audio });
  return { path, prompt, seconds, fields: input };
}
