import type { ImageFacts } from '../../media/image/measure-image.ts';
import { type Frame, frameOfArea, shapeOf, WIDE } from '../media/frame-of-area.ts';
import type { MediaParams } from '../media/media-params.ts';
import { type ImageInput, type ImageRules, requireImage } from '../media/read-image.ts';
import { invalidParameter } from './dashscope-error.ts';
import type { VideoInput } from './video-input.ts';
import { TIER_PIXELS, type Tier, type VideoModel } from './video-models.ts';
import { readVideoRequest, type VideoRequest } from './video-request.ts';

/** Source: DashScope docs, "Wan - image-to-video", `img_url` and `media`. */
const IMAGE_RULES: ImageRules = {
  encodings: ['data-url'],
  schemes: ['oss://'],
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp'],
  maxBytes: 20 * 1024 ** 2,
  minSide: 240,
  maxSide: 8000,
  maxRatio: 8,
};
/** @ai-sdk/alibaba 2.0.58 sends `img_url` as base64 without a data URL. */
const IMG_URL: ImageRules = { ...IMAGE_RULES, encodings: ['data-url', 'base64'] };

const DEFAULT_SECONDS = 5;

function imageOf(field: string, value: string, rules: ImageRules): ImageInput {
  return requireImage(field, value, rules, (problem) =>
    invalidParameter(`Parameter "${field}" is invalid: it ${problem}.`),
  );
}

function inputsOf(input: VideoInput): ImageInput[] {
  const { img_url, first_frame_url, last_frame_url, reference_urls = [], media = [] } = input;
  const frames = Object.entries({ first_frame_url, last_frame_url });
  return [
    ...(img_url === undefined ? [] : [imageOf('input.img_url', img_url, IMG_URL)]),
    ...frames.flatMap(([name, url]) => (url === undefined ? [] : [imageOf(`input.${name}`, url, IMAGE_RULES)])),
    ...reference_urls.map((reference) => ({ input: { field: 'input.reference_urls', reference } })),
    ...media.map(({ type, url }): ImageInput => {
      const isImage = type === 'reference_image' || type.endsWith('_frame');
      return isImage ? imageOf(type, url, IMAGE_RULES) : { input: { field: type, reference: url } };
    }),
  ];
}

function tierOf({ width, height }: Frame): Tier {
  const pixels = width * height;
  return pixels > 1_500_000 ? '1080P' : pixels > 650_000 ? '720P' : '480P';
}

function frameOf({ parameters }: VideoRequest, model: VideoModel, first: ImageFacts | undefined): Frame {
  if ('sizes' in model.frame) {
    const [width = 0, height = 0] = (parameters.size ?? model.frame.sizes[0] ?? '').split('*').map(Number);
    return { width, height };
  }
  const shape = shapeOf(parameters.ratio ?? '') ?? first ?? WIDE;
  return frameOfArea(shape, TIER_PIXELS[parameters.resolution ?? model.frame.defaultTier]);
}

export function videoParams(model: VideoModel, body: unknown): MediaParams {
  const request = readVideoRequest(model, body);
  const { model: name, input, parameters } = request;
  const images = inputsOf(input);
  const frame = frameOf(request, model, images[0]?.facts);
  return {
    kind: 'video',
    model: name,
    prompt: input.prompt ?? '',
    seconds: parameters.duration ?? DEFAULT_SECONDS,
    ...frame,
    count: 1,
    seed: parameters.seed,
    requestFields: {
      SR: Number.parseInt(parameters.resolution ?? tierOf(frame), 10),
      ratio: parameters.ratio ?? 'adaptive',
    },
    inputs: images.map(({ input: image }) => image),
  };
}
