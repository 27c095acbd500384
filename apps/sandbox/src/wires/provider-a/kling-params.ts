import { type Frame, frameOfArea, shapeOf, WIDE } from '../media/frame-of-area.ts';
import type { MediaParams } from '../media/media-params.ts';
import { type ImageInput, type ImageRules, requireImage } from '../media/read-image.ts';
import { invalidField } from './kling-error.ts';
import { ImageGeneration, ImagesToVideo, ImageToVideo, readKlingBody, TextToVideo } from './kling-request.ts';

const VIDEO_AREA = { std: 1280 * 720, pro: 1920 * 1080 };
const IMAGE_AREA = { '1k': 1024 ** 2, '2k': 2048 ** 2 };

/** Kling docs, "Image to Video", `image`: base64 without a `data:` prefix. */
const IMAGE_RULES: ImageRules = {
  encodings: ['base64'],
  types: ['image/jpeg', 'image/png'],
  maxBytes: 10 * 1024 ** 2,
  minSide: 300,
  maxRatio: 2.5,
};

function readKlingImage(field: string, value: string): ImageInput {
  return requireImage(field, value, IMAGE_RULES, (problem) => invalidField(field, problem));
}

function sized(ratio: string, area: number): Frame {
  return frameOfArea(shapeOf(ratio) ?? WIDE, area);
}

function checkDuration(model: string, duration: string): void {
  // Kling docs: 5 or 10 seconds. V3 accepts 3 to 15 seconds.
  const isValid = model === 'kling-v3' || duration === '5' || duration === '10';
  if (!isValid) throw invalidField('duration', 'must be "5" or "10"');
}

/** Source: Kling docs, "Capability Map". */
function checkVersion(model: string, params: { cfg_scale?: number | undefined; sound?: string | undefined }): void {
  const first = model.startsWith('kling-v1');
  const supportsSound = model === 'kling-v2-6' || model === 'kling-v3';
  if (params.cfg_scale !== undefined && !first) throw invalidField('cfg_scale', `is not supported by ${model}`);
  if (params.sound === 'on' && !supportsSound) throw invalidField('sound', `is not supported by ${model}`);
}

function textToVideo(body: unknown): MediaParams {
  const params = readKlingBody(TextToVideo, body);
  const { model_name: model, prompt, duration, mode, external_task_id: reference } = params;
  checkDuration(model, duration);
  checkVersion(model, params);
  const size = sized(params.aspect_ratio, VIDEO_AREA[mode]);
  return { kind: 'video', model, prompt, seconds: Number(duration), ...size, count: 1, reference, inputs: [] };
}

function imageToVideo(body: unknown): MediaParams {
  const params = readKlingBody(ImageToVideo, body);
  const { model_name: model, prompt = '', duration, mode, external_task_id: reference } = params;
  checkDuration(model, duration);
  checkVersion(model, params);
  const { image, image_tail: tail, static_mask: mask, dynamic_masks: masks, camera_control: camera } = params;
  if (image === undefined && tail === undefined) throw invalidField('image', 'and image_tail cannot both be empty');
  const ways = [tail !== undefined, mask !== undefined || masks !== undefined, camera !== undefined];
  if (ways.filter(Boolean).length > 1) {
    throw invalidField('image_tail', 'dynamic_masks/static_mask and camera_control cannot be used at the same time');
  }
  const images = Object.entries({ image, image_tail: tail, static_mask: mask }).flatMap(([field, value]) =>
    value === undefined ? [] : [readKlingImage(field, value)],
  );
  const size = frameOfArea(images[0]?.facts ?? WIDE, VIDEO_AREA[mode]);
  const inputs = images.map(({ input }) => input);
  return { kind: 'video', model, prompt, seconds: Number(duration), ...size, count: 1, reference, inputs };
}

function imagesToVideo(body: unknown): MediaParams {
  const params = readKlingBody(ImagesToVideo, body);
  const { model_name: model, prompt, duration, mode, external_task_id: reference } = params;
  checkDuration(model, duration);
  const inputs = params.image_list.map(({ image }, index) => readKlingImage(`image_list.${index}`, image).input);
  const size = sized(params.aspect_ratio, VIDEO_AREA[mode]);
  return { kind: 'video', model, prompt, seconds: Number(duration), ...size, count: 1, reference, inputs };
}

function imageGeneration(body: unknown): MediaParams {
  const params = readKlingBody(ImageGeneration, body);
  const { model_name: model, prompt, image, resolution, n: count, external_task_id: reference } = params;
  if (image === undefined && params.image_reference !== undefined) {
    throw invalidField('image', 'is required with image_reference');
  }
  if (image !== undefined && params.image_reference === undefined && model === 'kling-v1-5') {
    throw invalidField('image_reference', 'is required with image by kling-v1-5');
  }
  if (image !== undefined && params.negative_prompt !== undefined) {
    throw invalidField('negative_prompt', 'is not supported with image');
  }
  const inputs = image === undefined ? [] : [readKlingImage('image', image).input];
  const size = sized(params.aspect_ratio, IMAGE_AREA[resolution]);
  return { kind: 'image', model, prompt, seconds: 0, ...size, count, reference, inputs };
}

/** Request parsers by path. Each job is polled at the path that created it. */
export const KLING_CALLS = {
  'videos/text2video': textToVideo,
  'videos/image2video': imageToVideo,
  'videos/multi-image2video': imagesToVideo,
  'images/generations': imageGeneration,
};
