import type { JobInput } from '../../jobs/media-job.ts';
import { measureImage, type ImageType } from '../../media/image/measure-image.ts';
import type { SecretStore } from '../../text/secret-store.ts';
import { checkGenerateRequest } from '../google-style/check-generate-request.ts';
import { invalidArgument, unsupportedModalities } from '../google-style/google-error.ts';
import type { GenerativePart, GenerativeRequest } from '../google-style/generative-request.ts';
import { describeBytes } from '../media/describe-input.ts';
import type { MediaParams } from '../media/media-params.ts';
import { ASPECT_RATIOS, IMAGE_SIZES, imageFrame } from './image-frame.ts';

const TYPES: readonly ImageType[] = ['image/png', 'image/jpeg', 'image/webp'];
/** Google's own models generate either images or text. Models with other names generate both. */
const MAKES_IMAGES = /image|banana/;
const IS_GOOGLES = /^(models\/)?gemini-/;

function at(value: unknown, ...names: string[]): unknown {
  const fields: Record<string, unknown> = Object(value);
  return names.map((name) => fields[name]).find((item) => item !== undefined && item !== null);
}

/** Ignores invalid fields, because the body has not been checked yet. */
function modalitiesIn(body: unknown): unknown[] | undefined {
  const modalities = at(at(body, 'generationConfig', 'generation_config'), 'responseModalities', 'response_modalities');
  return modalities === undefined ? undefined : Array.isArray(modalities) ? modalities : [modalities];
}

export function requestsImage(body: unknown, model: string): boolean {
  const modalities = modalitiesIn(body);
  if (modalities === undefined) return IS_GOOGLES.test(model) && MAKES_IMAGES.test(model);
  return modalities.some((modality) => typeof modality === 'string' && modality.toUpperCase() === 'IMAGE');
}

export function requestsText(body: unknown): boolean {
  const modalities = modalitiesIn(body);
  return modalities === undefined || modalities.length > 1;
}

/** Returns the last content's text, even if the rest of the body is invalid. */
export function promptIn(body: unknown): string {
  const contents = at(body, 'contents');
  const last: unknown = Array.isArray(contents) ? contents.at(-1) : contents;
  const parts = at(last, 'parts');
  const texts = (Array.isArray(parts) ? parts : [parts]).map((part) => at(part, 'text'));
  return texts.filter((text) => typeof text === 'string').join('\n');
}

function readInput({ inlineData, fileData }: GenerativePart, index: number): JobInput[] {
  const field = `parts[${index}]`;
  if (fileData !== undefined) return [{ field, reference: fileData.fileUri ?? '' }];
  if (inlineData === undefined) return [];
  const { mimeType = '', data = '' } = inlineData;
  if (!mimeType.startsWith('image/')) throw invalidArgument(`Unsupported MIME type: ${mimeType}`);
  const bytes = Buffer.from(data, 'base64');
  if (measureImage(bytes, TYPES) === undefined) {
    const where = 'https://developers.generativeai.google/guide/troubleshooting';
    throw invalidArgument(`Unable to process input image. Please retry or report in ${where}`);
  }
  return [describeBytes(field, bytes, mimeType)];
}

function checkModel({ generationConfig: config = {}, tools = [] }: GenerativeRequest, model: string): void {
  const name = `models/${model.replace(/^models\//, '')}`;
  const { responseModalities = [], candidateCount = 1, responseMimeType = 'text/plain' } = config;
  if (IS_GOOGLES.test(model) && !MAKES_IMAGES.test(model)) {
    throw unsupportedModalities(responseModalities, model, 'TEXT');
  }
  if (candidateCount > 1) throw invalidArgument(`Multiple candidates is not enabled for ${name}`);
  if (responseMimeType !== 'text/plain') throw invalidArgument(`JSON mode is not enabled for ${name}`);
  if (tools.some(({ functionDeclarations = [] }) => functionDeclarations.length > 0)) {
    throw invalidArgument(`Function calling is not enabled for ${name}`);
  }
}

export function readImageParams(body: unknown, model: string, secretStore: SecretStore): MediaParams {
  const request = checkGenerateRequest(body, model, secretStore);
  checkModel(request, model);
  const { generationConfig: config = {}, contents = [] } = request;
  const { aspectRatio = '1:1', imageSize = '1K' } = config.imageConfig ?? {};
  const frame = imageFrame(aspectRatio, imageSize);
  if (frame === undefined) {
    const wrong = ASPECT_RATIOS.includes(aspectRatio) ? 'image_size' : 'aspect_ratio';
    const taken = wrong === 'image_size' ? IMAGE_SIZES : ASPECT_RATIOS;
    const path = `generation_config.image_config.${wrong}`;
    throw invalidArgument(`* GenerateContentRequest.${path}: must be one of ${taken.join(', ')}.\n`, path);
  }
  return {
    kind: 'image',
    model,
    prompt: promptIn(body),
    seconds: 0,
    ...frame,
    count: 1,
    seed: config.seed,
    inputs: contents.flatMap(({ parts = [] }) => parts.flatMap(readInput)),
  };
}
