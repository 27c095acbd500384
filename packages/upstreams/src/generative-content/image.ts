import type { ImageRequest } from '@sluice/canonical';
import type { MediaWire } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { type GeminiImagePlan, planGeminiImage } from './image-plan.ts';
import { geminiImageSubmission, readGeminiImage } from './image-submit.ts';

/** Images of Gemini's image models, returned as parts beside the text. */
export function geminiImages(tools: WireTools): MediaWire<ImageRequest, GeminiImagePlan> {
  return {
    plan: planGeminiImage,
    submission: (params, plan) => geminiImageSubmission(tools, params, plan),
    readSubmission: (response) => readGeminiImage(tools, response),
  };
}
