import {
  type ImageRequest,
  type ReturnedOutput,
  UPSTREAM_MESSAGES,
  statusMessage,
  unexpectedMessage,
} from '@sluice/canonical';
import { OPENAI_IMAGES } from '@sluice/vendors';
import { formatFields } from '../media/format-fields.ts';
import { openFiles } from '../media/form-files.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { isSuccess } from '../media/outcomes/decision.ts';
import { errorTopic, openAiDecision, openAiFailure } from '../media/outcomes/openai-error.ts';
import { inlineResponseBytes, returnedFile, returnedOutcome } from '../media/outcomes/returned-outcome.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { type ImagePlan, planImage } from './image-plan.ts';
import { type WireImage, WireImages } from './image-wire.ts';

const DECIDED = ['model', 'prompt', 'n', 'size', 'image', 'images', 'image[]', 'mask', 'stream', 'partial_images'];

export const openAiImages: MediaWire<ImageRequest, ImagePlan> = {
  plan: planImage,
  imageFiles: OPENAI_IMAGES,
  submission: async ({ model, request, images }, plan, { imageMs: timeoutMs }) => {
    const body = { ...vendorOptions(request.metadata, [...DECIDED, ...Object.keys(plan)]), model, ...plan };
    const call = { method: 'POST', timeoutMs, maxResponseBytes: inlineResponseBytes(plan.n) } as const;
    if (images.length === 0) return { ...call, path: '/images/generations', json: body };
    // Like openai-node, send one file as a plain field and several files as a list. Some vendors require this.
    const field = images.filter(({ role }) => role !== 'mask').length > 1 ? 'image[]' : 'image';
    const files = await openFiles(images, ({ role }) => (role === 'mask' ? 'mask' : field));
    const fields = Object.entries(body).flatMap(([name, value]) => formatFields(name, value));
    return { ...call, path: '/images/edits', form: { fields, files } };
  },
  // A success without a list of images is `unknown`, because the images may have been generated.
  readSubmission: (response, _plan, tools) => {
    const { status, body } = response;
    const { data, error } = WireImages.parse(body) ?? {};
    if (!isSuccess(status)) {
      const decision = openAiDecision(status, error);
      if (decision === 'unknown') return { kind: 'unknown', message: statusMessage(status) };
      return tools.refused(response, decision, error?.message);
    }
    if (data) return returnedOutcome(data.map((item) => outputOf(item, tools)));
    const topic = errorTopic(error);
    if (topic !== 'other') return tools.refused(response, topic, error?.message);
    return { kind: 'unknown', message: unexpectedMessage(`HTTP ${status} without images`, 'submission') };
  },
};

function outputOf(item: WireImage, tools: WireTools): ReturnedOutput {
  const file = returnedFile({ base64: item?.b64_json, url: item?.url });
  if (file) return { ...file, revisedPrompt: item?.revised_prompt };
  const message = tools.reason(item?.error?.message, UPSTREAM_MESSAGES.noContent);
  return { error: { code: openAiFailure(item?.error), message } };
}
