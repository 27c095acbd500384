import type { ImageRequest } from '@sluice/canonical';
import { DASHSCOPE_IMAGES } from '@sluice/vendors';
import type { MediaWire } from '../media/media-wire.ts';
import { limitImageFiles } from '../media/plan/limit-params.ts';
import { imageDataUrl } from '../media/plan/image-bytes.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { cancellation } from './cancel.ts';
import { bodyOptions } from './options.ts';
import { type ImagePlan, planImage } from './plan-image.ts';
import { pollCall, readPoll } from './poll.ts';
import { AS_TASK, readMadeImages, readTaskSubmission, SERVICES } from './submit.ts';

/** Fields that metadata cannot set: planned fields and images, which are sent inline. */
const DECIDED = ['model', 'prompt', 'negative_prompt', 'messages', 'images', 'n', 'size', 'seed', 'stream'];

/** Whether the response holds the images. */
function isSync({ path }: ImagePlan): boolean {
  return path === '/multimodal-generation/generation';
}

function bodyOf(plan: ImagePlan, imageInputs: string[]) {
  const { prompt, negativePrompt, parameters } = plan;
  const negative = negativePrompt === undefined ? {} : { negative_prompt: negativePrompt };
  if (isSync(plan)) {
    const content = [...imageInputs.map((image) => ({ image })), { text: prompt }];
    return { input: { messages: [{ role: 'user', content }] }, parameters: { ...negative, ...parameters } };
  }
  return { input: { prompt, ...negative, ...(imageInputs.length > 0 && { images: imageInputs }) }, parameters };
}

/** Images of qwen and wan: newer models return them in the response, older ones create a task. */
export function dashscopeImage(tools: WireTools): MediaWire<ImageRequest, ImagePlan> {
  return {
    plan: planImage,
    submission: async ({ model, request, images }, plan) => {
      limitImageFiles(images, DASHSCOPE_IMAGES);
      const { input, parameters } = bodyOf(plan, await Promise.all(images.map(imageDataUrl)));
      const options = bodyOptions(request.metadata, DECIDED, []);
      return {
        method: 'POST',
        path: SERVICES + plan.path,
        ...(isSync(plan) ? { timeoutMs: tools.imageMs } : { headers: AS_TASK }),
        json: {
          model,
          input: { ...options.input, ...input },
          parameters: { ...options.parameters, ...parameters },
        },
      };
    },
    readSubmission: (response, _params, plan) =>
      isSync(plan) ? readMadeImages(response, tools) : readTaskSubmission(response, undefined, tools),
    poll: pollCall,
    readPoll: (response, job) => readPoll(response, job, tools),
    cancellation: cancellation(tools),
  };
}
