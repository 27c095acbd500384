import type { VideoRequest } from '@sluice/canonical';
import type { z } from 'zod';
import { combinedImages, listOf, prepareMediaFields } from '../forms/form-fields.ts';
import { invalidField } from '../json/json-field.ts';
import { asFrames, filesIn, type DecodedImage, readImage, storedImage } from './input-image.ts';
import { collectMetadata } from './metadata.ts';
import type { DecodedMedia, FieldNames, MediaForm } from '../contracts/media-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import { isKnownField } from './task-options.ts';
import { VideoParamsSchema } from './video-params-schema.ts';

type VideoParams = z.output<typeof VideoParamsSchema>;

/** Fields that can be files in a form. */
export const VIDEO_IMAGE_FIELDS = ['input_reference', 'image', 'images'] as const;

/** Maps canonical fields to their names in {@link VideoParamsSchema}. */
export const VIDEO_FIELD_NAMES: FieldNames = {
  model: 'model',
  prompt: 'prompt',
  negativePrompt: 'negative_prompt',
  seconds: 'seconds',
  size: 'size',
  aspectRatio: 'aspect_ratio',
  resolution: 'resolution',
  fps: 'fps',
  seed: 'seed',
  audio: 'generate_audio',
  watermark: 'watermark',
  promptExtend: 'prompt_extend',
  metadata: 'metadata',
  firstFrame: 'input_reference',
  lastFrame: 'images[1]',
  reference: 'images',
  remix: 'remix',
};

/** Parameters that new-api's clients put into `metadata`, where upstreams would ignore them. */
const METADATA_PARAMS = [
  'negative_prompt',
  'aspect_ratio',
  'resolution',
  'fps',
  'seed',
  'generate_audio',
  'watermark',
  'prompt_extend',
] as const;

/** @throws GatewayError `invalid_request` with the field's name */
export function decodeVideoParams(form: MediaForm): DecodedMedia<VideoRequest> {
  const params = moveParams(parseInput(VideoParamsSchema, prepareMediaFields(form.fields)));
  const images = collectImages(params, form);
  if (params.prompt === undefined && images.length === 0) throw invalidField('prompt', 'is required without an image');

  const seconds = oneOf(params.seconds, params.duration, 'duration', 'seconds');
  const size = oneOf(params.size, sizeOfSides(params), 'width', 'size');
  const unknown = Object.entries(params).filter(([name]) => !isKnownField(VideoParamsSchema, name));
  const { metadata, dropped } = collectMetadata(
    { fields: Object.fromEntries(unknown) },
    { fields: params.metadata ?? {}, within: 'metadata' },
  );
  return {
    ...(params.model !== undefined && { model: params.model }),
    request: {
      kind: 'video',
      ...(params.prompt !== undefined && { prompt: params.prompt }),
      ...(params.negative_prompt !== undefined && { negativePrompt: params.negative_prompt }),
      ...(seconds !== undefined && { seconds }),
      ...(size !== undefined && { size }),
      ...(params.aspect_ratio !== undefined && { aspectRatio: params.aspect_ratio }),
      ...(params.resolution !== undefined && { resolution: params.resolution }),
      ...(params.fps !== undefined && { fps: params.fps }),
      ...(params.seed !== undefined && { seed: params.seed }),
      ...(params.generate_audio !== undefined && { audio: params.generate_audio }),
      ...(params.watermark !== undefined && { watermark: params.watermark }),
      ...(params.prompt_extend !== undefined && { promptExtend: params.prompt_extend }),
      ...(metadata && { metadata }),
    },
    images,
    ...(params.callback_url !== undefined && { callbackUrl: params.callback_url }),
    ...(dropped && { dropped }),
  };
}

/** Moves valid parameters out of the metadata. The remaining metadata is kept as vendor options. */
function moveParams(params: VideoParams): VideoParams {
  const { metadata } = params;
  if (!metadata) return params;
  const moved = METADATA_PARAMS.flatMap((name) => {
    if (params[name] !== undefined || metadata[name] === undefined) return [];
    const { success, data } = VideoParamsSchema.shape[name].safeParse(metadata[name]);
    return success ? [[name, data] as const] : [];
  });
  const names = new Set<string>(moved.map(([name]) => name));
  const rest = Object.entries(metadata).filter(([name]) => !names.has(name));
  return { ...params, ...Object.fromEntries(moved), metadata: Object.fromEntries(rest) };
}

function collectImages(params: VideoParams, form: MediaForm): DecodedMedia<VideoRequest>['images'] {
  const sources = VIDEO_IMAGE_FIELDS.map((field) => {
    const files = filesIn(form, field).map(storedImage);
    const value: unknown = params[field];
    const listed = listOf(value).length;
    return { field, files, listed };
  }).filter(({ files, listed }) => files.length + listed > 0);
  const [first, second] = sources;
  if (!first) return [];
  if (second) throw combinedImages(second.field, first.field);
  if (first.files.length > 0 && first.listed > 0) {
    throw invalidField(first.field, 'must contain either files or references, not both');
  }
  const imageInputs = first.listed === 0 ? first.files : textImages(params);
  return asFrames(imageInputs, first.field);
}

function textImages({ input_reference: reference, image, images }: VideoParams): DecodedImage[] {
  if (reference !== undefined) {
    // A form can contain the URL itself.
    return [readImage(typeof reference === 'string' ? { image_url: reference } : reference, 'input_reference')];
  }
  if (image !== undefined) return [readImage(image, 'image', { bareBase64: true })];
  return (images ?? []).map((imageInput, index) => readImage(imageInput, `images[${index}]`, { bareBase64: true }));
}

function sizeOfSides({ width, height }: VideoParams): string | undefined {
  if (width === undefined && height === undefined) return undefined;
  if (width === undefined) throw invalidField('width', 'is required with height');
  if (height === undefined) throw invalidField('height', 'is required with width');
  return `${width}x${height}`;
}

/** Reads two aliases of a field. Both can be set if their values are equal. */
function oneOf<T>(first: T | undefined, second: T | undefined, param: string, other: string): T | undefined {
  if (first !== undefined && second !== undefined && first !== second) {
    throw invalidField(param, `must match ${other}. Send one of them`);
  }
  return first ?? second;
}
