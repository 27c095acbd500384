import { type ImageRequest, type SubmitOutcome, unexpectedMessage } from '@sluice/canonical';
import { DASHSCOPE_IMAGES } from '@sluice/vendors';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { returnedOutcome } from '../media/outcomes/returned-outcome.ts';
import { imageDataUrl } from '../media/plan/image-bytes.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { isGood, summary } from './errors.ts';
import { bodyOptions } from './options.ts';
import { type ImagePlan, planImage } from './plan-image.ts';
import { AS_TASK, dashscopeTasks, refused, SERVICES } from './tasks.ts';
import { imagesOf, readDashscope } from './wire.ts';

const DECIDED = ['model', 'prompt', 'negative_prompt', 'messages', 'images', 'n', 'size', 'seed', 'stream'];

function isSync({ path }: ImagePlan): boolean {
  return path === '/multimodal-generation/generation';
}

function bodyOf(plan: ImagePlan, images: string[]) {
  const { prompt, negativePrompt: negative_prompt, parameters } = plan;
  if (isSync(plan)) {
    const content = [...images.map((image) => ({ image })), { text: prompt }];
    return { input: { messages: [{ role: 'user', content }] }, parameters: { negative_prompt, ...parameters } };
  }
  return { input: { prompt, negative_prompt, images: images.length > 0 ? images : undefined }, parameters };
}

/** Qwen and Wan images. Newer models return images in the response; older ones create a task. */
export const dashscopeImage: MediaWire<ImageRequest, ImagePlan> = {
  ...dashscopeTasks,
  plan: planImage,
  imageFiles: DASHSCOPE_IMAGES,
  submission: async ({ model, request, images }, plan, { imageMs }) => {
    const { input, parameters } = bodyOf(plan, await Promise.all(images.map(imageDataUrl)));
    const options = bodyOptions(request.metadata, DECIDED, []);
    return {
      method: 'POST',
      path: SERVICES + plan.path,
      ...(isSync(plan) ? { timeoutMs: imageMs } : { headers: AS_TASK }),
      json: {
        model,
        input: { ...options.input, ...input },
        parameters: { ...options.parameters, ...parameters },
      },
    };
  },
  readSubmission: (response, plan, tools) =>
    isSync(plan) ? readImages(response, tools) : dashscopeTasks.readSubmission(response, plan, tools),
};

function readImages(response: UpstreamResponse, tools: WireTools): SubmitOutcome {
  const read = readDashscope(response.body);
  if (!isGood(response.status, read)) {
    // The model had started, so it may have generated images.
    return /^ModelServingError/i.test(read.code ?? '')
      ? { kind: 'unknown', message: unexpectedMessage(summary(response.status, read), 'submission') }
      : refused(response, read, tools);
  }
  // The response is not in the vendor's format, but the images may exist.
  if (!read.output?.choices) {
    return { kind: 'unknown', message: unexpectedMessage(`HTTP ${response.status} without images`, 'submission') };
  }
  return returnedOutcome(imagesOf(read).map((url) => ({ url })));
}
