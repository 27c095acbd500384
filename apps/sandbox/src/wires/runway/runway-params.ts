import type { z } from 'zod';
import type { JobInput } from '../../jobs/media-job.ts';
import { type Frame, frameOfShortSide, shapeOf, WIDE } from '../media/frame-of-area.ts';
import type { MediaParams } from '../media/media-params.ts';
import { readImage } from '../media/read-image.ts';
import { invalidBody } from './runway-error.ts';
import { IMAGE_RULES } from './runway-fields.ts';
import { TextToImage } from './runway-image-models.ts';
import { ImageToVideo, TextToVideo } from './runway-video-models.ts';

interface RunwayFields {
  model: string;
  promptText?: string | undefined;
  duration?: number | 'auto' | undefined;
  ratio?: string | undefined;
  resolution?: string | undefined;
  outputCount?: number | undefined;
  seed?: number | undefined;
  promptImage?: string | readonly { uri: string }[] | undefined;
  references?: readonly { uri: string }[] | undefined;
  referenceImages?: readonly { uri: string }[] | undefined;
}

/** Duration of a video if the model has no duration field. */
const SECONDS = 5;
const VEO_SECONDS = 8;
const LINES = new Map([['2k', 1440]]);

/** The cast is safe because all these schemas, which are built at run time, have the fields of {@link RunwayFields}. */
function check(schema: z.ZodType, body: unknown): RunwayFields {
  const read = schema.safeParse(body);
  if (read.success) return read.data as RunwayFields;
  throw invalidBody(read.error.issues);
}

function linesOf(resolution: string): number {
  return LINES.get(resolution.toLowerCase()) ?? (Number.parseInt(resolution.replace('auto_', ''), 10) || 720);
}

/** Uses `ratio` if it contains pixels, otherwise ratio and resolution. If an image should set the ratio, uses 16:9. */
function videoFrame({ ratio = '', resolution = '720p' }: RunwayFields): Frame {
  const [, width = 0, height = 0] = /^(\d{3,4}):(\d{3,4})$/.exec(ratio)?.map(Number) ?? [];
  if (width > 0 && height > 0) return { width, height };
  const lines = linesOf(ratio.startsWith('auto_') ? ratio : resolution);
  return frameOfShortSide(shapeOf(ratio) ?? WIDE, lines);
}

function imageFrame({ ratio = '' }: RunwayFields): Frame {
  const [, width = 0, height = 0] = /^(\d{2,5}):(\d{2,5})$/.exec(ratio)?.map(Number) ?? [];
  if (width > 0 && height > 0) return { width, height };
  return ratio === 'auto_2k' ? { width: 2048, height: 2048 } : { width: 1024, height: 1024 };
}

function inputsOf({ promptImage = [], references = [], referenceImages = [] }: RunwayFields): JobInput[] {
  const prompts = typeof promptImage === 'string' ? [{ uri: promptImage }] : promptImage;
  const fields = Object.entries({ promptImage: prompts, references, referenceImages });
  return fields.flatMap(([field, items]) =>
    items.flatMap(({ uri }) => {
      const read = readImage(field, uri, IMAGE_RULES);
      return 'problem' in read ? [] : [read.input];
    }),
  );
}

function video(fields: RunwayFields): MediaParams {
  const { model, promptText: prompt = '', duration, seed } = fields;
  const seconds = typeof duration === 'number' ? duration : model.startsWith('veo3') ? VEO_SECONDS : SECONDS;
  return { kind: 'video', model, prompt, seconds, ...videoFrame(fields), count: 1, seed, inputs: inputsOf(fields) };
}

function images(fields: RunwayFields): MediaParams {
  const { model, promptText: prompt = '', outputCount: count = 1, seed } = fields;
  return { kind: 'image', model, prompt, seconds: 0, ...imageFrame(fields), count, seed, inputs: inputsOf(fields) };
}

export const RUNWAY_CALLS: Readonly<Record<string, (body: unknown) => MediaParams>> = {
  text_to_video: (body) => video(check(TextToVideo, body)),
  image_to_video: (body) => video(check(ImageToVideo, body)),
  text_to_image: (body) => images(check(TextToImage, body)),
};
