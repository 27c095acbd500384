import type { ImageRequest, ReturnedOutput, MediaSubmission, SubmitOutcome } from '@sluice/canonical';
import { OPENAI_IMAGES } from '@sluice/vendors';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { openFiles } from '../media/form-files.ts';
import { madeResponseBytes, madeFile, madeOutcome } from '../media/outcomes/made-outcome.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { errorTopic, openAiFailure, openAiDecision } from '../media/outcomes/openai-error.ts';
import { limitImageFiles } from '../media/plan/limit-params.ts';
import { formatFields } from '../media/format-fields.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import type { ImagePlan } from './image-plan.ts';
import { type WireImage, WireImages } from './image-wire.ts';

/** In addition to planned fields. A streamed response could not be read here. */
const DECIDED = ['model', 'prompt', 'n', 'size', 'image', 'images', 'image[]', 'mask', 'stream', 'partial_images'];

/** Generates images from a prompt, or from images too. */
export async function imageSubmission(
  tools: WireTools,
  { model, request, images }: MediaSubmission<ImageRequest>,
  plan: ImagePlan,
): Promise<VendorCall> {
  const body = {
    ...vendorOptions(request.metadata, [...DECIDED, ...Object.keys(plan)]),
    model,
    ...plan,
  };
  const call = { method: 'POST', timeoutMs: tools.imageMs, maxResponseBytes: madeResponseBytes(plan.n) } as const;
  if (images.length === 0) return { ...call, path: '/images/generations', json: body };
  limitImageFiles(images, OPENAI_IMAGES);
  // openai-node encodes one file as a plain field and several as a list; some vendors accept nothing else.
  const several = images.filter(({ role }) => role !== 'mask').length > 1;
  const files = await openFiles(images, ({ role }) => (role === 'mask' ? 'mask' : several ? 'image[]' : 'image'));
  const fields = Object.entries(body).flatMap(([name, value]) => formatFields(name, value));
  return { ...call, path: '/images/edits', form: { fields, files } };
}

/** Reads a response. A success without a list of images is `unknown`, because they may have been generated. */
export function readImages(tools: WireTools, response: UpstreamResponse): SubmitOutcome {
  const { status, body } = response;
  const { data, error } = WireImages.parse(body) ?? {};
  const reason = tools.reason(error?.message, `The upstream refused the request (HTTP ${status})`);
  if (status < 200 || status > 299) {
    const decision = openAiDecision(status, error);
    if (decision === 'unknown') return { kind: 'unknown', message: `The upstream returned HTTP ${status}` };
    return refusedSubmission(decision, reason, tools.later(response));
  }
  if (data) {
    return madeOutcome(data.map((item) => madeOf(tools, item)));
  }
  const topic = errorTopic(error);
  if (topic !== 'other') return refusedSubmission(topic, reason);
  return { kind: 'unknown', message: `The upstream returned HTTP ${status} without images` };
}

function madeOf(tools: WireTools, item: WireImage): ReturnedOutput {
  const file = madeFile({ base64: item?.b64_json, url: item?.url });
  if (!file) {
    const message = tools.reason(item?.error?.message, 'The upstream generated no image');
    return { error: { code: openAiFailure(item?.error), message } };
  }
  const revisedPrompt = item?.revised_prompt;
  return { ...file, ...(revisedPrompt !== undefined && { revisedPrompt }) };
}
