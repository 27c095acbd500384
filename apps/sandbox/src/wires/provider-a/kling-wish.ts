import { type Frame, frameOfArea, shapeOf } from '../media/frame-of-area.ts';
import type { MediaWish } from '../media/media-wish.ts';
import { type PictureRules, type ReadPicture, readPicture } from '../media/read-picture.ts';
import { invalidField } from './kling-error.ts';
import { ImageGeneration, ImagesToVideo, ImageToVideo, readKlingBody, TextToVideo } from './kling-request.ts';

const WIDE: Frame = { width: 16, height: 9 };
/** Pixels of a `std` and of a `pro` film. */
const VIDEO_AREA = { std: 1280 * 720, pro: 1920 * 1080 };
const IMAGE_AREA = { '1k': 1024 ** 2, '2k': 2048 ** 2 };

/** Kling docs, "Image to Video", `image`: no `data:` prefix. */
const PICTURE_RULES: PictureRules = {
  ways: ['base64'],
  types: ['image/jpeg', 'image/png'],
  mostBytes: 10 * 1024 ** 2,
  leastSide: 300,
  mostRatio: 2.5,
};

function readKlingPicture(field: string, value: string): Exclude<ReadPicture, { problem: string }> {
  const picture = readPicture(field, value, PICTURE_RULES);
  if ('problem' in picture) throw invalidField(field, picture.problem);
  return picture;
}

function sized(ratio: string, area: number): Frame {
  return frameOfArea(shapeOf(ratio) ?? WIDE, area);
}

function checkDuration(model: string, duration: string): void {
  // Kling docs: 5 or 10 seconds, and with V3 any number from 3 to 15.
  if (model !== 'kling-v3' && duration !== '5' && duration !== '10')
    throw invalidField('duration', 'must be "5" or "10"');
}

/** Checks what only some versions can (Kling docs, "Capability Map"). */
function checkVersion(model: string, wish: { cfg_scale?: number | undefined; sound?: string | undefined }): void {
  const first = model.startsWith('kling-v1');
  const hears = model === 'kling-v2-6' || model === 'kling-v3';
  if (wish.cfg_scale !== undefined && !first) throw invalidField('cfg_scale', `is not supported by ${model}`);
  if (wish.sound === 'on' && !hears) throw invalidField('sound', `is not supported by ${model}`);
}

function textToVideo(body: unknown): MediaWish {
  const wish = readKlingBody(TextToVideo, body);
  const { model_name: model, prompt, duration, mode, external_task_id: reference } = wish;
  checkDuration(model, duration);
  checkVersion(model, wish);
  const size = sized(wish.aspect_ratio, VIDEO_AREA[mode]);
  return { kind: 'video', model, prompt, seconds: Number(duration), ...size, count: 1, reference, inputs: [] };
}

function imageToVideo(body: unknown): MediaWish {
  const wish = readKlingBody(ImageToVideo, body);
  const { model_name: model, prompt = '', duration, mode, external_task_id: reference } = wish;
  checkDuration(model, duration);
  checkVersion(model, wish);
  const { image, image_tail: tail, static_mask: mask, dynamic_masks: masks, camera_control: camera } = wish;
  if (image === undefined && tail === undefined) throw invalidField('image', 'and image_tail cannot both be empty');
  const ways = [tail !== undefined, mask !== undefined || masks !== undefined, camera !== undefined];
  if (ways.filter(Boolean).length > 1) {
    throw invalidField('image_tail', 'dynamic_masks/static_mask and camera_control cannot be used at the same time');
  }
  const pictures = Object.entries({ image, image_tail: tail, static_mask: mask }).flatMap(([field, value]) =>
    value === undefined ? [] : [readKlingPicture(field, value)],
  );
  const size = frameOfArea(pictures[0]?.facts ?? WIDE, VIDEO_AREA[mode]);
  const inputs = pictures.map(({ input }) => input);
  return { kind: 'video', model, prompt, seconds: Number(duration), ...size, count: 1, reference, inputs };
}

function imagesToVideo(body: unknown): MediaWish {
  const wish = readKlingBody(ImagesToVideo, body);
  const { model_name: model, prompt, duration, mode, external_task_id: reference } = wish;
  checkDuration(model, duration);
  const inputs = wish.image_list.map(({ image }, index) => readKlingPicture(`image_list.${index}`, image).input);
  const size = sized(wish.aspect_ratio, VIDEO_AREA[mode]);
  return { kind: 'video', model, prompt, seconds: Number(duration), ...size, count: 1, reference, inputs };
}

function imageGeneration(body: unknown): MediaWish {
  const wish = readKlingBody(ImageGeneration, body);
  const { model_name: model, prompt, image, resolution, n: count, external_task_id: reference } = wish;
  if (image === undefined && wish.image_reference !== undefined) {
    throw invalidField('image', 'is required with image_reference');
  }
  if (image !== undefined && wish.image_reference === undefined && model === 'kling-v1-5') {
    throw invalidField('image_reference', 'is required with image by kling-v1-5');
  }
  if (image !== undefined && wish.negative_prompt !== undefined) {
    throw invalidField('negative_prompt', 'is not supported with image');
  }
  const inputs = image === undefined ? [] : [readKlingPicture('image', image).input];
  const size = sized(wish.aspect_ratio, IMAGE_AREA[resolution]);
  return { kind: 'image', model, prompt, seconds: 0, ...size, count, reference, inputs };
}

/** How the body of each path is read; jobs are asked for under the path that made them. */
export const KLING_CALLS = {
  'videos/text2video': textToVideo,
  'videos/image2video': imageToVideo,
  'videos/multi-image2video': imagesToVideo,
  'images/generations': imageGeneration,
};
