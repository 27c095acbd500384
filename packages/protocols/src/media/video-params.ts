import type { VideoRequest } from '@sluice/canonical';
import type { z } from 'zod';
import { invalidField, listOf, unfoldFields } from '../forms/form-fields.ts';
import { asFrames, filesIn, type Picture, readPicture, storedImage } from './input-image.ts';
import { collectMetadata } from './metadata.ts';
import type { DecodedMedia, FieldNames, MediaForm } from '../contracts/media-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import { VideoParamsSchema } from './video-params-schema.ts';

type Wish = z.output<typeof VideoParamsSchema>;

/** The fields that carry images and may be files of a form. */
export const VIDEO_IMAGE_FIELDS = ['input_reference', 'image', 'images'] as const;

/** The canonical name of each field of {@link VideoParamsSchema}. */
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

/**
 * Options that new-api's clients put into `metadata`, because it has no fields for them. The gateway reads them as
 * parameters, because upstreams ignore them in metadata.
 */
const LIFTED = [
  'negative_prompt',
  'aspect_ratio',
  'resolution',
  'fps',
  'seed',
  'generate_audio',
  'watermark',
  'prompt_extend',
] as const;

/**
 * Reads video parameters of OpenAI's videos protocol and its relatives, multipart or JSON. Empty texts and nulls count
 * as
 * absent, since form libraries send them for unset fields.
 * @throws GatewayError `invalid_request` naming the field
 */
export function decodeVideoParams(form: MediaForm): DecodedMedia<VideoRequest> {
  const params = liftOptions(parseInput(VideoParamsSchema, unfoldFields(form.fields)));
  const images = collectImages(params, form);
  if (params.prompt === undefined && images.length === 0) throw invalidField('prompt', 'is required without an image');

  const seconds = oneOf(params.seconds, params.duration, 'duration', 'seconds');
  const size = oneOf(params.size, sizeOfSides(params), 'width', 'size');
  const unknown = Object.entries(params).filter(([name]) => !Object.hasOwn(VideoParamsSchema.shape, name));
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

/** Moves valid options with a canonical name from metadata to the parameters; the rest remains vendor options. */
function liftOptions(params: Wish): Wish {
  const { metadata } = params;
  if (!metadata) return params;
  const lifted = LIFTED.flatMap((name) => {
    if (params[name] !== undefined || metadata[name] === undefined) return [];
    const { success, data } = VideoParamsSchema.shape[name].safeParse(metadata[name]);
    return success ? [[name, data] as const] : [];
  });
  const names = new Set<string>(lifted.map(([name]) => name));
  const rest = Object.entries(metadata).filter(([name]) => !names.has(name));
  return { ...params, ...Object.fromEntries(lifted), metadata: Object.fromEntries(rest) };
}

function collectImages(params: Wish, form: MediaForm): DecodedMedia<VideoRequest>['images'] {
  const told = VIDEO_IMAGE_FIELDS.map((field) => {
    const files = filesIn(form, field).map(storedImage);
    const given: unknown = params[field];
    const listed = listOf(given).length;
    return { field, files, listed };
  }).filter(({ files, listed }) => files.length + listed > 0);
  const [first, second] = told;
  if (!first) return [];
  if (second)
    throw invalidField(second.field, `cannot be combined with ${first.field}: send all images in one of them`);
  if (first.files.length > 0 && first.listed > 0) {
    throw invalidField(first.field, 'appears twice: send either files or references');
  }
  const imageInputs = first.listed === 0 ? first.files : textImages(params);
  return asFrames(imageInputs, first.field);
}

function textImages({ input_reference: reference, image, images }: Wish): Picture[] {
  if (reference !== undefined) {
    // A form may contain the URL itself.
    return [readPicture(typeof reference === 'string' ? { image_url: reference } : reference, 'input_reference')];
  }
  if (image !== undefined) return [readPicture(image, 'image', { bareBase64: true })];
  return (images ?? []).map((imageInput, index) => readPicture(imageInput, `images[${index}]`, { bareBase64: true }));
}

function sizeOfSides({ width, height }: Wish): string | undefined {
  if (width === undefined && height === undefined) return undefined;
  if (width === undefined) throw invalidField('width', 'is required with height');
  if (height === undefined) throw invalidField('height', 'is required with width');
  return `${width}x${height}`;
}

/** Reads two aliases, which may both be set if they agree. */
function oneOf<T>(first: T | undefined, second: T | undefined, param: string, other: string): T | undefined {
  if (first !== undefined && second !== undefined && first !== second) {
    throw invalidField(param, `must match ${other}: send one of them`);
  }
  return first ?? second;
}
