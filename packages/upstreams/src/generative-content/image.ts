import {
  type ImageRequest,
  type SubmitOutcome,
  UPSTREAM_MESSAGES,
  statusMessage,
  unexpectedMessage,
} from '@sluice/canonical';
import { GEMINI_IMAGE_FILES } from '@sluice/vendors';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { isSuccess, refusedSubmission } from '../media/outcomes/decision.ts';
import { googleDecision, googleDelay } from '../media/google-error.ts';
import { INLINE_RESPONSE_BYTES, returnedFile } from '../media/outcomes/returned-outcome.ts';
import { imageBase64 } from '../media/plan/image-bytes.ts';
import { nestedOptions, vendorOptions } from '../media/plan/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { type GeminiImagePlan, planGeminiImage } from './image-plan.ts';
import { WireGenerated } from './image-wire.ts';
import { FILTERED } from './read-generated.ts';

/** Options that belong at the top level of the body. All others belong in `generationConfig`. */
const BODY_OPTIONS = new Set(['safetySettings', 'tools', 'toolConfig', 'systemInstruction', 'labels', 'serviceTier']);
const DECIDED = ['contents', 'model', 'cachedContent', 'generationConfig', 'imageConfig'];
const DECIDED_CONFIG = ['responseModalities', 'imageConfig'];

export const geminiImages: MediaWire<ImageRequest, GeminiImagePlan> = {
  plan: planGeminiImage,
  imageFiles: GEMINI_IMAGE_FILES,
  submission: async ({ request, images }, plan, { imageMs: timeoutMs }) => {
    const inlined = images.map(async (image) => ({
      inlineData: { mimeType: image.mediaType, data: await imageBase64(image) },
    }));
    const parts = [...(await Promise.all(inlined)), { text: plan.prompt }];
    const json = bodyOf(request.metadata, parts, plan);
    return { method: 'POST', path: plan.path, json, timeoutMs, maxResponseBytes: INLINE_RESPONSE_BYTES };
  },
  readSubmission: (response, _plan, tools) => readGeminiImage(response, tools),
};

function bodyOf(metadata: ImageRequest['metadata'], parts: object[], { seed, imageConfig }: GeminiImagePlan): object {
  const entries = Object.entries(vendorOptions(metadata, DECIDED));
  const inBody = entries.filter(([name]) => BODY_OPTIONS.has(name));
  const inConfig = Object.fromEntries(entries.filter(([name]) => !BODY_OPTIONS.has(name)));
  const nested = nestedOptions(metadata, 'generationConfig');
  const decided = seed === undefined ? DECIDED_CONFIG : [...DECIDED_CONFIG, 'seed'];
  const imageOptions = { ...nestedOptions(metadata, 'imageConfig'), ...nestedOptions(nested, 'imageConfig') };
  const image = { ...vendorOptions(imageOptions, Object.keys(imageConfig)), ...imageConfig };
  return {
    ...Object.fromEntries(inBody),
    contents: [{ role: 'user', parts }],
    generationConfig: {
      ...vendorOptions({ ...inConfig, ...nested }, decided),
      ...(seed !== undefined && { seed }),
      responseModalities: ['TEXT', 'IMAGE'],
      ...(Object.keys(image).length > 0 && { imageConfig: image }),
    },
  };
}

/** Reads the images or the reason why there are none. Gemini sends either with HTTP 200. */
function readGeminiImage(response: UpstreamResponse, tools: WireTools): SubmitOutcome {
  const { status, body } = response;
  const { candidates, promptFeedback, error } = WireGenerated.parse(body) ?? {};
  if (!isSuccess(status)) {
    const decision = googleDecision(status, error);
    if (decision === 'unknown') return { kind: 'unknown', message: statusMessage(status) };
    const reason = tools.reason(error?.message, statusMessage(status));
    return refusedSubmission(decision, reason, { ...googleDelay(error), ...tools.retryDelay(response) });
  }
  if (promptFeedback?.blockReason !== undefined) {
    const message = tools.reason(promptFeedback.blockReasonMessage, UPSTREAM_MESSAGES.requestBlocked);
    return { kind: 'rejected', code: 'content_policy', message };
  }
  if (!candidates)
    return { kind: 'unknown', message: unexpectedMessage(`HTTP ${status} without images`, 'submission') };

  const parts = candidates
    .flatMap((candidate) => candidate?.content?.parts ?? [])
    .filter((part) => part?.thought !== true);
  const files = parts.flatMap((part) => {
    const bytes = part?.inlineData ?? part?.inline_data;
    const type = bytes?.mimeType ?? bytes?.mime_type ?? '';
    return type.startsWith('image/') ? (returnedFile({ base64: bytes?.data }) ?? []) : [];
  });
  if (files.length > 0) return { kind: 'returned', outputs: files };

  const finishes = candidates.map((candidate) => candidate?.finishReason ?? '');
  const filtered = finishes.some((reason) => FILTERED.test(reason));
  const finishMessage = candidates.find((candidate) => candidate?.finishMessage !== undefined)?.finishMessage;
  const text = parts
    .map((part) => part?.text ?? '')
    .join(' ')
    .trim();
  const otherwise = filtered ? UPSTREAM_MESSAGES.outputBlocked : UPSTREAM_MESSAGES.noContent;
  return {
    kind: 'rejected',
    code: filtered ? 'content_policy' : 'provider_error',
    message: tools.reason(text === '' ? finishMessage : text, otherwise),
  };
}
