import {
  type ImageRequest,
  type OpenedImage,
  type ReturnedOutput,
  type SubmitOutcome,
  UPSTREAM_MESSAGES,
  unexpectedMessage,
} from '@sluice/canonical';
import { BEDROCK_IMAGE_FILES } from '@sluice/vendors';
import { encodeSegment } from '../cloud/aws/encode-segment.ts';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { lenient, list, Text } from '../media/lenient.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { isSuccess } from '../media/outcomes/decision.ts';
import { inlineResponseBytes, returnedFile, returnedOutcome } from '../media/outcomes/returned-outcome.ts';
import { imageBase64 } from '../media/plan/image-bytes.ts';
import { nestedOptions, vendorOptions } from '../media/plan/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { bedrockDecision, readBedrockError } from './errors.ts';
import { type BedrockImagePlan, type ImageTask, planBedrockImage } from './plan-image.ts';
import { seedOf } from './seed.ts';

const PARAMS: Readonly<Record<ImageTask, string>> = {
  TEXT_IMAGE: 'textToImageParams',
  IMAGE_VARIATION: 'imageVariationParams',
  INPAINTING: 'inPaintingParams',
};
const CONFIG = 'imageGenerationConfig';
/** Options that belong in the configuration. All others belong in the task's parameters. */
const CONFIG_OPTIONS = new Set(['cfgScale']);
const DECIDED = ['taskType', CONFIG, ...Object.values(PARAMS)];
const DECIDED_PARAMS = ['text', 'negativeText', 'image', 'images', 'maskImage'];

const WireImages = lenient({ images: list(Text), error: Text });

/** Images of Nova Canvas and Titan by `InvokeModel`. The response contains them. */
export const bedrockImages: MediaWire<ImageRequest, BedrockImagePlan> = {
  plan: planBedrockImage,
  imageFiles: BEDROCK_IMAGE_FILES,
  submission: async ({ model, request, images, reference }, plan, { imageMs: timeoutMs }) => ({
    method: 'POST',
    path: `/model/${encodeSegment(model)}/invoke`,
    json: bodyOf(request.metadata, { ...plan.texts, ...(await imagesOf(plan.task, images)) }, plan, seedOf(reference)),
    timeoutMs,
    maxResponseBytes: inlineResponseBytes(plan.config.numberOfImages),
  }),
  readSubmission: readImages,
};

async function imagesOf(task: ImageTask, images: readonly OpenedImage[]): Promise<object> {
  const encoded = await Promise.all(images.map(async (image) => ({ ...image, data: await imageBase64(image) })));
  const of = (role: string) => encoded.filter((image) => image.role === role).map(({ data }) => data);
  switch (task) {
    case 'TEXT_IMAGE':
      return {};
    case 'IMAGE_VARIATION':
      return { images: of('reference') };
    case 'INPAINTING':
      return { image: of('reference')[0], maskImage: of('mask')[0] };
  }
}

function bodyOf(metadata: ImageRequest['metadata'], params: object, plan: BedrockImagePlan, seed: number): object {
  const { task: taskType, config } = plan;
  const field = PARAMS[taskType];
  const entries = Object.entries(vendorOptions(metadata, DECIDED));
  const inConfig = Object.fromEntries(entries.filter(([name]) => CONFIG_OPTIONS.has(name)));
  const inParams = Object.fromEntries(entries.filter(([name]) => !CONFIG_OPTIONS.has(name)));
  const decided = [...Object.keys(config), 'seed', 'width', 'height'];
  return {
    taskType,
    [field]: { ...vendorOptions({ ...inParams, ...nestedOptions(metadata, field) }, DECIDED_PARAMS), ...params },
    [CONFIG]: { ...vendorOptions({ ...inConfig, ...nestedOptions(metadata, CONFIG) }, decided), seed, ...config },
  };
}

/** If a filter blocks some of the images, Bedrock returns the others, and the reason in `error`. */
function readImages(response: UpstreamResponse, { config }: BedrockImagePlan, tools: WireTools): SubmitOutcome {
  const { status, body } = response;
  if (!isSuccess(status)) return refusedImages(response, tools);
  const { images, error } = WireImages.parse(body) ?? {};
  if (!images && error === undefined) {
    return { kind: 'unknown', message: unexpectedMessage(`HTTP ${status} without images`, 'submission') };
  }
  const outputs: ReturnedOutput[] = (images ?? []).flatMap((base64) => returnedFile({ base64 }) ?? []);
  if (error !== undefined) {
    const blocked = {
      code: 'content_policy',
      message: tools.reason(error, UPSTREAM_MESSAGES.outputBlocked),
    } as const;
    while (outputs.length < config.numberOfImages) outputs.push({ error: blocked });
  }
  return returnedOutcome(outputs);
}

function refusedImages(response: UpstreamResponse, tools: WireTools): SubmitOutcome {
  const error = readBedrockError(response);
  // The model has failed, so there are no images.
  if (error.exception === 'ModelErrorException') {
    return { kind: 'rejected', code: 'provider_error', message: tools.reason(error.message, UPSTREAM_MESSAGES.failed) };
  }
  return tools.refused(response, bedrockDecision(response.status, error), error.message);
}
