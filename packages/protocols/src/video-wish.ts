import type { VideoRequest } from '@sluice/canonical';
import type { z } from 'zod';
import { invalidField, listOf, unfoldFields } from './form-fields.ts';
import { asFrames, filesIn, type Picture, readPicture, storedPicture } from './input-picture.ts';
import { collectMetadata } from './media-metadata.ts';
import type { DecodedMedia, FieldNames, MediaForm } from './media-protocol.ts';
import { parseInput } from './parse-input.ts';
import { VideoWishSchema } from './video-wish-schema.ts';

type Wish = z.output<typeof VideoWishSchema>;

/** The fields that carry pictures, and may be files of a form. */
export const VIDEO_PICTURE_FIELDS = ['input_reference', 'image', 'images'] as const;

/** How {@link VideoWishSchema} spells what is canonical. */
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
 * Options that clients of new-api put into `metadata`, having no field for them there. As metadata they would be lost:
 * upstreams decide these by themselves, from the wish.
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
 * Reads a wish for a video as OpenAI's videos protocol and its relatives write it, multipart or JSON.
 * Empty texts and nulls count as left out, since form libraries send them for what is unset.
 * @throws GatewayError `invalid_request` naming the field
 */
export function decodeVideoWish(form: MediaForm): DecodedMedia<VideoRequest> {
  const wish = liftOptions(parseInput(VideoWishSchema, unfoldFields(form.fields)));
  const images = collectPictures(wish, form);
  if (wish.prompt === undefined && images.length === 0) throw invalidField('prompt', 'is required: say what to show');

  const seconds = oneOf(wish.seconds, wish.duration, 'duration', 'seconds');
  const size = oneOf(wish.size, sizeOfSides(wish), 'width', 'size');
  const unknown = Object.entries(wish).filter(([name]) => !Object.hasOwn(VideoWishSchema.shape, name));
  const { metadata, dropped } = collectMetadata(
    { fields: Object.fromEntries(unknown) },
    { fields: wish.metadata ?? {}, within: 'metadata' },
  );
  return {
    ...(wish.model !== undefined && { model: wish.model }),
    request: {
      kind: 'video',
      ...(wish.prompt !== undefined && { prompt: wish.prompt }),
      ...(wish.negative_prompt !== undefined && { negativePrompt: wish.negative_prompt }),
      ...(seconds !== undefined && { seconds }),
      ...(size !== undefined && { size }),
      ...(wish.aspect_ratio !== undefined && { aspectRatio: wish.aspect_ratio }),
      ...(wish.resolution !== undefined && { resolution: wish.resolution }),
      ...(wish.fps !== undefined && { fps: wish.fps }),
      ...(wish.seed !== undefined && { seed: wish.seed }),
      ...(wish.generate_audio !== undefined && { audio: wish.generate_audio }),
      ...(wish.watermark !== undefined && { watermark: wish.watermark }),
      ...(wish.prompt_extend !== undefined && { promptExtend: wish.prompt_extend }),
      ...(metadata && { metadata }),
    },
    images,
    ...(wish.callback_url !== undefined && { callbackUrl: wish.callback_url }),
    ...(dropped && { dropped }),
  };
}

/** Takes out of the metadata what has a canonical name and is well spelled; the rest stays an option of a vendor. */
function liftOptions(wish: Wish): Wish {
  const { metadata } = wish;
  if (!metadata) return wish;
  const lifted = LIFTED.flatMap((name) => {
    if (wish[name] !== undefined || metadata[name] === undefined) return [];
    const { success, data } = VideoWishSchema.shape[name].safeParse(metadata[name]);
    return success ? [[name, data] as const] : [];
  });
  const names = new Set<string>(lifted.map(([name]) => name));
  const rest = Object.entries(metadata).filter(([name]) => !names.has(name));
  return { ...wish, ...Object.fromEntries(lifted), metadata: Object.fromEntries(rest) };
}

function collectPictures(wish: Wish, form: MediaForm): DecodedMedia<VideoRequest>['images'] {
  const told = VIDEO_PICTURE_FIELDS.map((field) => {
    const files = filesIn(form, field).map(storedPicture);
    const given: unknown = wish[field];
    const listed = listOf(given).length;
    return { field, files, listed };
  }).filter(({ files, listed }) => files.length + listed > 0);
  const [first, second] = told;
  if (!first) return [];
  if (second) throw invalidField(second.field, `is given beside ${first.field}: send all pictures in one of them`);
  if (first.files.length > 0 && first.listed > 0) {
    throw invalidField(first.field, 'is given twice: send either files or references');
  }
  const pictures = first.listed === 0 ? first.files : textPictures(wish);
  return asFrames(pictures, first.field);
}

function textPictures({ input_reference: reference, image, images }: Wish): Picture[] {
  if (reference !== undefined) {
    // A form may say the URL itself.
    return [readPicture(typeof reference === 'string' ? { image_url: reference } : reference, 'input_reference')];
  }
  if (image !== undefined) return [readPicture(image, 'image', { bareBase64: true })];
  return (images ?? []).map((picture, index) => readPicture(picture, `images[${index}]`, { bareBase64: true }));
}

function sizeOfSides({ width, height }: Wish): string | undefined {
  if (width === undefined && height === undefined) return undefined;
  if (width === undefined) throw invalidField('width', 'is required beside height');
  if (height === undefined) throw invalidField('height', 'is required beside width');
  return `${width}x${height}`;
}

/** Two spellings of one thing, which may be given twice when they agree. */
function oneOf<T>(first: T | undefined, second: T | undefined, param: string, other: string): T | undefined {
  if (first !== undefined && second !== undefined && first !== second) {
    throw invalidField(param, `says something else than ${other}: send one of them`);
  }
  return first ?? second;
}
