import { isObject } from '../../schema/json.ts';
import type { MediaParams } from '../media/media-params.ts';
import { explainIssue } from '../openai-style/explain-issue.ts';
import { invalidParameter, missingParameter, openAiError } from '../openai-style/openai-error.ts';
import { familyOf, type ImageFamily, type ImageFields } from './image-families.ts';
import { readSize } from './image-size.ts';
import type { FormImage, ImageForm } from './read-image-form.ts';

const DEFAULT_MODEL = 'gpt-image-2';
const MEGABYTE = 1024 ** 2;

function fieldsOf(body: unknown): Record<string, unknown> {
  if (!isObject(body)) {
    throw openAiError(400, 'Invalid type for body: expected an object.', { code: 'invalid_type' });
  }
  // null is treated as omitted (openai 7.55.0: most fields are nullable).
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

function checkTogether({ stream, partial_images: partial, output_compression: compression }: ImageFields): void {
  if (stream === true || (partial ?? 0) > 0) {
    const param = stream === true ? 'stream' : 'partial_images';
    throw invalidParameter(param, 'Streaming is not supported with this model.', 'unsupported_value');
  }
  if (compression !== undefined && compression !== 100) {
    const message = 'Compression less than 100 is not supported for PNG output format';
    throw invalidParameter('output_compression', message, 'invalid_png_output_compression');
  }
}

export function readGeneration(body: unknown): MediaParams {
  const sentFields = fieldsOf(body);
  const model =
    typeof sentFields['model'] === 'string' && sentFields['model'] !== '' ? sentFields['model'] : DEFAULT_MODEL;
  const family = familyOf(model);
  const read = family.body.safeParse(sentFields);
  if (!read.success) throw explainIssue(read.error, sentFields);
  const fields = read.data;
  checkTogether(fields);
  const size = readSize(fields.size) ?? { width: 1024, height: 1024 };
  const { prompt, n: count, response_format, background, quality } = fields;
  const requestFields = { response_format, background, quality };
  return { kind: 'image', model, prompt, seconds: 0, ...size, count, requestFields, inputs: [] };
}

function checkMask(mask: FormImage, [first]: readonly FormImage[]): void {
  const { facts, input } = mask;
  const fits = facts.width === first?.facts.width && facts.height === first.facts.height;
  if (facts.mediaType !== 'image/png' || (input.bytes ?? 0) >= 4 * MEGABYTE || !fits) {
    const message = 'Invalid mask image: it must be a PNG of less than 4 MB, with the same dimensions as the image.';
    throw invalidParameter('mask', message, 'invalid_mask_image');
  }
}

function checkImages(images: readonly FormImage[], { maxImages = 0, squarePng }: ImageFamily): void {
  if (images.length === 0) throw missingParameter('image');
  if (images.length > maxImages) {
    const message = `Invalid 'image': array too long. Expected an array with maximum length ${maxImages}, but got an array with length ${images.length} instead.`;
    throw invalidParameter('image', message, 'array_above_max_length');
  }
  const fits = images.every(({ facts, input }) => {
    const small = (input.bytes ?? 0) < 4 * MEGABYTE;
    return !squarePng || (small && facts.mediaType === 'image/png' && facts.width === facts.height);
  });
  if (!fits)
    throw invalidParameter('image', 'Uploaded image must be a PNG, square and less than 4 MB.', 'invalid_image');
}

export function readEdit({ fields, images, mask, problem }: ImageForm): MediaParams {
  const params = readGeneration(fields);
  const family = familyOf(params.model);
  if (family.maxImages === undefined) {
    throw invalidParameter('model', `Invalid value: '${params.model}'. Value must be 'dall-e-2'.`, 'invalid_value');
  }
  // openai 7.55.0: "For `gpt-image-2`, omit this parameter".
  if ('input_fidelity' in fields && params.model.startsWith('gpt-image-2')) {
    const message = `The model '${params.model}' does not support the 'input_fidelity' parameter.`;
    throw invalidParameter('input_fidelity', message, 'invalid_input_fidelity_model');
  }
  if (problem !== undefined) throw problem;
  checkImages(images, family);
  if (mask !== undefined) checkMask(mask, images);
  const all = mask === undefined ? images : [...images, mask];
  return { ...params, inputs: all.map(({ input }) => input) };
}
