import type { z } from 'zod';
import { prepareMediaFields } from '../forms/form-fields.ts';
import { invalidField } from '../json/json-field.ts';
import { isRecord } from '../json/is-record.ts';
import { collectMetadata } from '../media/metadata.ts';
import type { DecodedMedia, ImageParams, MediaForm } from '../contracts/media-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import { decodeDashScope } from './dashscope-request.ts';
import { refuseStreaming } from './delivery.ts';
import { readImages } from './images.ts';
import { OpenAiImagesSchema } from './schema.ts';

/** All other fields are metadata. */
const KNOWN_FIELDS = new Set([
  'prompt',
  'model',
  'n',
  'size',
  'aspect_ratio',
  'quality',
  'background',
  'output_format',
  'response_format',
  'negative_prompt',
  'seed',
  'watermark',
  'prompt_extend',
  'stream',
  'partial_images',
  'image',
  'images',
  'mask',
  'callback_url',
  'metadata',
]);

/** @throws GatewayError with the field's name */
export function decodeGeneration(form: MediaForm): DecodedMedia<ImageParams> {
  const decoded = decodeImages(form);
  if (decoded.request.prompt === undefined) throw missingPrompt(form);
  return decoded;
}

/** @throws GatewayError with the field's name */
export function decodeEdit(form: MediaForm): DecodedMedia<ImageParams> {
  const decoded = decodeImages(form);
  const isFromDashScope = isDashScope(form.fields);
  if (!decoded.images.some(({ role }) => role === 'reference')) {
    throw invalidField(isFromDashScope ? 'input[messages]' : 'image', 'must contain an image to edit');
  }
  // Some DashScope models edit without a prompt (e.g. for upscaling).
  if (decoded.request.prompt === undefined && !isFromDashScope) throw missingPrompt(form);
  return decoded;
}

function missingPrompt({ fields }: MediaForm) {
  return invalidField(isDashScope(fields) ? 'input[messages]' : 'prompt', 'is required');
}

function isDashScope(fields: unknown): boolean {
  return isRecord(fields) && (fields['input'] ?? '') !== '';
}

function decodeImages(form: MediaForm): DecodedMedia<ImageParams> {
  return isDashScope(form.fields) ? decodeDashScope(form.fields) : decodeOpenAi(form);
}

function decodeOpenAi(form: MediaForm): DecodedMedia<ImageParams> {
  const body = parseInput(OpenAiImagesSchema, prepareMediaFields(form.fields));
  refuseStreaming(body);
  const images = readImages(body, form);
  const options = Object.entries(body).filter(([name]) => !KNOWN_FIELDS.has(name));
  const { metadata, dropped } = collectMetadata(
    { fields: Object.fromEntries(options) },
    { fields: body.metadata ?? {}, within: 'metadata' },
  );
  return {
    ...(body.model !== undefined && { model: body.model }),
    request: {
      kind: 'image',
      ...paramsOf(body),
      ...(metadata && { metadata }),
      ...(body.response_format !== undefined && { delivery: body.response_format }),
    },
    images,
    ...(body.callback_url !== undefined && { callbackUrl: body.callback_url }),
    ...(dropped && { dropped }),
  };
}

function paramsOf(body: z.output<typeof OpenAiImagesSchema>): Omit<ImageParams, 'kind' | 'images' | 'delivery'> {
  return {
    ...(body.prompt !== undefined && { prompt: body.prompt }),
    ...(body.negative_prompt !== undefined && { negativePrompt: body.negative_prompt }),
    ...(body.n !== undefined && { n: body.n }),
    ...(body.size !== undefined && { size: body.size }),
    ...(body.aspect_ratio !== undefined && { aspectRatio: body.aspect_ratio }),
    ...(body.seed !== undefined && { seed: body.seed }),
    ...(body.quality !== undefined && { quality: body.quality }),
    ...(body.background !== undefined && { background: body.background }),
    ...(body.output_format !== undefined && { outputFormat: body.output_format }),
    ...(body.watermark !== undefined && { watermark: body.watermark }),
    ...(body.prompt_extend !== undefined && { promptExtend: body.prompt_extend }),
  };
}
