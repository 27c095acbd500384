import type { ImageRequest } from '@sluice/canonical';
import type { MediaWire } from '../media/media-wire.ts';
import { limitPictureFiles } from '../media/limit-wish.ts';
import { pictureDataUrl } from '../media/picture-bytes.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { cancellation } from './cancel.ts';
import { PICTURES } from './image-models.ts';
import { bodyOptions } from './options.ts';
import { type ImagePlan, planImage } from './plan-image.ts';
import { pollCall, readPoll } from './poll.ts';
import { AS_TASK, readMadeImages, readTaskSubmission, SERVICES } from './submit.ts';

/** What metadata cannot say in any part: what the plan decides, and pictures, which go along inline. */
const DECIDED = ['model', 'prompt', 'negative_prompt', 'messages', 'images', 'n', 'size', 'seed', 'stream'];

/** Whether the images come in the answer. */
function isSync({ path }: ImagePlan): boolean {
  return path === '/multimodal-generation/generation';
}

/** Input and parameters as the path takes them: a message, or plain fields. */
function bodyOf(plan: ImagePlan, pictures: string[]) {
  const { prompt, negativePrompt, parameters } = plan;
  const negative = negativePrompt === undefined ? {} : { negative_prompt: negativePrompt };
  if (isSync(plan)) {
    const content = [...pictures.map((image) => ({ image })), { text: prompt }];
    return { input: { messages: [{ role: 'user', content }] }, parameters: { ...negative, ...parameters } };
  }
  return { input: { prompt, ...negative, ...(pictures.length > 0 && { images: pictures }) }, parameters };
}

/** Images of qwen and wan: the newer models answer with them, the older make a task. */
export function dashscopeImage(tools: WireTools): MediaWire<ImageRequest, ImagePlan> {
  return {
    plan: planImage,
    submission: async ({ model, request, images }, plan) => {
      limitPictureFiles(images, PICTURES);
      const { input, parameters } = bodyOf(plan, await Promise.all(images.map(pictureDataUrl)));
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
    readSubmission: (answer, _wish, plan) =>
      isSync(plan) ? readMadeImages(answer, tools) : readTaskSubmission(answer, undefined, tools),
    poll: pollCall,
    readPoll: (answer, job) => readPoll(answer, job, tools),
    cancellation: cancellation(tools),
  };
}
