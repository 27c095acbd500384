import type { ImageRequest, MediaSubmission, SubmitOutcome } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { googleDelay, googleDecision } from '../media/outcomes/google-error.ts';
import { MADE_RESPONSE_BYTES, madeFile } from '../media/outcomes/made-outcome.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { limitImageBytes, imageBase64 } from '../media/plan/image-bytes.ts';
import { nestedOptions, vendorOptions } from '../media/plan/vendor-options.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import type { GeminiImagePlan } from './image-plan.ts';
import { WireGenerated } from './image-wire.ts';

/** Options in the body itself; all others belong in `generationConfig`. */
const OF_THE_BODY = new Set(['safetySettings', 'tools', 'toolConfig', 'systemInstruction', 'labels', 'serviceTier']);
/** Planned fields, and resources that belong to another account at the vendor. */
const DECIDED = ['contents', 'model', 'cachedContent', 'generationConfig', 'imageConfig'];
const DECIDED_OF_CONFIG = ['responseModalities', 'imageConfig'];
/** Finish reasons of a filter (@google/genai, `FinishReason`). */
const FILTERED = /SAFETY|PROHIBITED_CONTENT|RECITATION|BLOCKLIST|SPII/;

export async function geminiImageSubmission(
  tools: WireTools,
  { request, images }: MediaSubmission<ImageRequest>,
  plan: GeminiImagePlan,
): Promise<VendorCall> {
  limitImageBytes(images, { each: 75, all: 75 }); // 100 MB inline, of which base64 leaves three quarters
  const imageInputs = images.map(async (image) => ({
    inlineData: { mimeType: image.mediaType, data: await imageBase64(image) },
  }));
  const parts = [...(await Promise.all(imageInputs)), { text: plan.prompt }];
  return {
    method: 'POST',
    path: plan.path,
    json: bodyOf(request.metadata, parts, plan),
    timeoutMs: tools.imageMs,
    maxResponseBytes: MADE_RESPONSE_BYTES,
  };
}

/** The body: vendor options in their places, overridden by planned fields. */
function bodyOf(metadata: ImageRequest['metadata'], parts: object[], { seed, imageConfig }: GeminiImagePlan): object {
  const options = vendorOptions(metadata, DECIDED);
  const entries = Object.entries(options);
  const inBody = entries.filter(([name]) => OF_THE_BODY.has(name));
  const inConfig = Object.fromEntries(entries.filter(([name]) => !OF_THE_BODY.has(name)));
  const told = nestedOptions(metadata, 'generationConfig');
  const config = vendorOptions({ ...inConfig, ...told }, [
    ...DECIDED_OF_CONFIG,
    ...(seed === undefined ? [] : ['seed']),
  ]);
  const wished = { ...nestedOptions(metadata, 'imageConfig'), ...nestedOptions(told, 'imageConfig') };
  const image = { ...vendorOptions(wished, Object.keys(imageConfig)), ...imageConfig };
  return {
    ...Object.fromEntries(inBody),
    contents: [{ role: 'user', parts }],
    generationConfig: {
      ...config,
      ...(seed !== undefined && { seed }),
      responseModalities: ['TEXT', 'IMAGE'],
      ...(Object.keys(image).length > 0 && { imageConfig: image }),
    },
  };
}

/** Reads images, or the reason why there are none, which Gemini sends with HTTP 200. */
export function readGeminiImage(tools: WireTools, response: UpstreamResponse): SubmitOutcome {
  const { status, body } = response;
  const { candidates, promptFeedback, error } = WireGenerated.parse(body) ?? {};
  if (status < 200 || status > 299) {
    const decision = googleDecision(status, error);
    if (decision === 'unknown') return { kind: 'unknown', message: `The upstream returned HTTP ${status}` };
    const reason = tools.reason(error?.message, `The upstream refused the request (HTTP ${status})`);
    return refusedSubmission(decision, reason, { ...googleDelay(error), ...tools.later(response) });
  }
  if (promptFeedback?.blockReason !== undefined) {
    const message = tools.reason(promptFeedback.blockReasonMessage, 'The upstream blocked the prompt');
    return { kind: 'rejected', code: 'content_policy', message };
  }
  if (!candidates) return { kind: 'unknown', message: `The upstream returned HTTP ${status} without an image` };

  const parts = candidates
    .flatMap((candidate) => candidate?.content?.parts ?? [])
    .filter((part) => part?.thought !== true);
  const files = parts.flatMap((part) => {
    const bytes = part?.inlineData ?? part?.inline_data;
    const type = bytes?.mimeType ?? bytes?.mime_type ?? '';
    return type.startsWith('image/') ? (madeFile({ base64: bytes?.data }) ?? []) : [];
  });
  if (files.length > 0) return { kind: 'returned', outputs: files };

  const finishes = candidates.map((candidate) => candidate?.finishReason ?? '');
  const filtered = finishes.some((reason) => FILTERED.test(reason));
  const told = candidates.find((candidate) => candidate?.finishMessage !== undefined)?.finishMessage;
  const text = parts
    .map((part) => part?.text ?? '')
    .join(' ')
    .trim();
  const otherwise = filtered ? 'The upstream’s filter blocked the image' : 'The upstream responded without an image';
  return {
    kind: 'rejected',
    code: filtered ? 'content_policy' : 'provider_error',
    message: tools.reason(text === '' ? told : text, otherwise),
  };
}
