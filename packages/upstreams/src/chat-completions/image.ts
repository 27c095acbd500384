import type { ImageRequest } from '@sluice/canonical';
import type { MediaWire } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { type ImagePlan, planImage } from './image-plan.ts';
import { imageSubmission, readImages } from './image-submit.ts';

/** Images through OpenAI's images protocol, returned in the response. */
export function openAiImages(tools: WireTools): MediaWire<ImageRequest, ImagePlan> {
  return {
    plan: planImage,
    submission: (params, plan) => imageSubmission(tools, params, plan),
    readSubmission: (response) => readImages(tools, response),
  };
}
