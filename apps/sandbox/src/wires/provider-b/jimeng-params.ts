import { z } from 'zod';
import { checkBody } from '../../schema/check-body.ts';
import { type Frame, frameOfArea, shapeOf, WIDE } from '../media/frame-of-area.ts';
import type { MediaParams } from '../media/media-params.ts';
import { type ImageInput, type ImageRules, requireImage } from '../media/read-image.ts';
import { invalidInput, jimengError } from './jimeng-error.ts';
import { type JimengModel, jimengModel } from './jimeng-models.ts';

const PROMPT_CHARACTERS = 800;
const MIN_AREA = 1024 ** 2;
const MAX_AREA = 4096 ** 2;
/** Maximum for the sum of a call's input and output images. */
const MAX_IMAGES = 15;

/** Source: Jimeng docs, "Limits", on the pages for videos and images. */
const IMAGE_RULES: Record<JimengModel['kind'], ImageRules> = {
  video: imagesOf(4.7, 320),
  image: imagesOf(15, 1),
};

function imagesOf(megabytes: number, minSide: number): ImageRules {
  const maxBytes = Math.floor(megabytes * 1024 ** 2);
  return { encodings: ['base64'], types: ['image/jpeg', 'image/png'], maxBytes, minSide, maxSide: 4096, maxRatio: 3 };
}

const ReqKeyBody = z.object({ req_key: z.string() });

const common = {
  prompt: z.string().max(PROMPT_CHARACTERS).optional(),
  binary_data_base64: z.array(z.string()).optional(),
  image_urls: z.array(z.url({ protocol: /^https?$/ })).optional(),
  seed: z.int().min(-1).default(-1),
};

const VideoBody = z.object({
  ...common,
  // The number of frames: 24 per second, plus one.
  frames: z.literal([121, 241]).default(121),
  aspect_ratio: z.enum(['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']).default('16:9'),
});

const ImageBody = z.object({
  ...common,
  size: z.int().min(MIN_AREA).max(MAX_AREA).optional(),
  width: z.int().min(1).optional(),
  height: z.int().min(1).optional(),
  scale: z.number().min(0).max(1).optional(),
  force_single: z.boolean().default(false),
});

interface ImageFields {
  prompt?: string | undefined;
  binary_data_base64?: string[] | undefined;
  image_urls?: string[] | undefined;
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  return checkBody(schema, body, ({ field, message }) => invalidInput(field, message));
}

/** Images are in one of two fields. Their number must match the model. */
function readImages({ binary_data_base64: base64 = [], image_urls: urls = [] }: ImageFields, model: JimengModel) {
  if (base64.length > 0 && urls.length > 0) throw invalidInput('binary_data_base64', 'and image_urls are alternatives');
  const [min, max] = model.images;
  const [field, values] = base64.length > 0 ? ['binary_data_base64', base64] : ['image_urls', urls];
  if (values.length < min || values.length > max) {
    throw invalidInput(field, `must hold ${min === max ? min : `${min} to ${max}`} images`);
  }
  return values.map((value, index) => {
    const name = `${field}[${index}]`;
    const image = requireImage(name, value, IMAGE_RULES[model.kind], (problem) => invalidInput(name, problem));
    if (field === 'binary_data_base64' && image.facts === undefined) throw invalidInput(field, 'must hold base64');
    return image;
  });
}

function promptOf({ prompt = '' }: ImageFields, images: readonly ImageInput[]): string {
  if (prompt.trim() === '' && images.length === 0) throw invalidInput('prompt', 'is required');
  return prompt;
}

function readVideo(body: unknown, reqKey: string, model: JimengModel): MediaParams {
  const params = read(VideoBody, body);
  const images = readImages(params, model);
  // The first image overrides the requested ratio.
  const shape = images[0]?.facts ?? shapeOf(params.aspect_ratio) ?? WIDE;
  return {
    kind: 'video',
    model: reqKey,
    prompt: promptOf(params, images),
    seconds: (params.frames - 1) / 24,
    ...frameOfArea(shape, model.area),
    count: 1,
    seed: params.seed === -1 ? undefined : params.seed,
    inputs: images.map(({ input }) => input),
  };
}

function sizeOf({ width, height, size }: z.output<typeof ImageBody>, area: number): Frame {
  // Width and height apply only if both are set (Jimeng docs).
  if (width === undefined || height === undefined) return frameOfArea({ width: 1, height: 1 }, size ?? area);
  const isTooLong = width > height * 3 || height > width * 3;
  if (isTooLong) throw invalidInput('width', 'and height must have a ratio of at most 3');
  return { width, height };
}

/** Returns the number of images that the prompt mentions; 1 by default. */
function countIn(prompt: string): number {
  return Math.max(1, Number(/(\d{1,2})\s*(?:张|pictures|images)/i.exec(prompt)?.[1] ?? 1));
}

function readImageParams(body: unknown, reqKey: string, model: JimengModel): MediaParams {
  const params = read(ImageBody, body);
  const images = readImages(params, model);
  const prompt = params.prompt ?? '';
  if (prompt.trim() === '') throw invalidInput('prompt', 'is required');
  const { width, height } = sizeOf(params, model.area);
  const large = reqKey === 'jimeng_t2i_v40';
  const fits = large
    ? width * height >= MIN_AREA && width * height <= MAX_AREA
    : Math.min(width, height) >= 512 && Math.max(width, height) <= 2048;
  const rule = large ? 'by height must be from 1024*1024 to 4096*4096' : 'and height must be from 512 to 2048';
  if (!fits) throw invalidInput('width', rule);
  const single = params.force_single || !large;
  return {
    kind: 'image',
    model: reqKey,
    prompt,
    seconds: 0,
    width,
    height,
    count: single ? 1 : Math.min(countIn(prompt), MAX_IMAGES - images.length),
    seed: params.seed === -1 ? undefined : params.seed,
    inputs: images.map(({ input }) => input),
  };
}

/** @throws WireError 50215 with the name of an invalid field, 50204 for an unknown `req_key`. */
export function readJimengParams(body: unknown): MediaParams {
  const { req_key: reqKey } = read(ReqKeyBody, body);
  const model = jimengModel(reqKey);
  if (model === undefined) throw jimengError(400, 50_204, `req_key ${reqKey} not supported`);
  return model.kind === 'video' ? readVideo(body, reqKey, model) : readImageParams(body, reqKey, model);
}
