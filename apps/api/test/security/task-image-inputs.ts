import { TINY_PNG } from '@sluice/testkit';

/** A video model and an image model that accept images in every role. */
export const VIDEO_MODEL = 'video-of-all';
export const IMAGE_MODEL = 'image-of-all';

/** A request that contains an image URL. */
export interface ImageInputParams {
  path: string;
  body: string | FormData;
  headers?: Record<string, string>;
}

const INLINE = `data:image/png;base64,${Buffer.from(TINY_PNG).toString('base64')}`;
const JIMENG = '?Action=CVSync2AsyncSubmitTask&Version=2022-08-31';

function json(path: string, fields: object): ImageInputParams {
  return {
    path,
    body: JSON.stringify({ prompt: 'a kite', ...fields }),
    headers: { 'content-type': 'application/json' },
  };
}

function form(path: string, fields: Record<string, string | Blob>): ImageInputParams {
  const body = new FormData();
  body.set('prompt', 'a kite');
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return { path, body };
}

const file = (): Blob => new Blob([Buffer.from(TINY_PNG)], { type: 'image/png' });

/** Requests of the OpenAI-style video protocols, with the URL in each image field. */
function videoFields(path: string): Record<string, (url: string) => ImageInputParams> {
  const model = VIDEO_MODEL;
  return {
    [`${path} input_reference.image_url`]: (url) => json(path, { model, input_reference: { image_url: url } }),
    [`${path} input_reference as text`]: (url) => json(path, { model, input_reference: url }),
    [`${path} image`]: (url) => json(path, { model, image: url }),
    [`${path} image.image_url`]: (url) => json(path, { model, image: { image_url: url } }),
    [`${path} images, last item`]: (url) => json(path, { model, images: [INLINE, url] }),
    [`${path} images, middle item`]: (url) => json(path, { model, images: [INLINE, { image_url: url }, INLINE] }),
    [`${path} form field input_reference[image_url]`]: (url) =>
      form(path, { model, 'input_reference[image_url]': url }),
    [`${path} form field input_reference`]: (url) => form(path, { model, input_reference: url }),
    [`${path} form field images[0]`]: (url) => form(path, { model, 'images[0]': url }),
  };
}

function imageFields(path: string): Record<string, (url: string) => ImageInputParams> {
  const model = IMAGE_MODEL;
  return {
    [`${path} image`]: (url) => json(path, { model, image: url }),
    [`${path} image.image_url`]: (url) => json(path, { model, image: { image_url: url } }),
    [`${path} images`]: (url) => json(path, { model, images: [INLINE, url] }),
    [`${path} mask`]: (url) => json(path, { model, image: INLINE, mask: url }),
    [`${path} form field image`]: (url) => form(path, { model, image: url }),
    [`${path} form field mask`]: (url) => form(path, { model, image: file(), mask: url }),
    [`${path} in DashScope’s shape`]: (image) =>
      json(path, { model, input: { messages: [{ role: 'user', content: [{ text: 'a kite' }, { image }] }] } }),
  };
}

/** Every field in which a task request can contain an image URL. Workers fetch all of these images. */
export const TASK_IMAGES: Readonly<Record<string, (url: string) => ImageInputParams>> = {
  ...videoFields('/v1/videos'),
  ...videoFields('/v1/video/generations'),
  ...Object.fromEntries(
    ['/provider-a', '/kling'].flatMap((root) => {
      const path = `${root}/v1/videos/image2video`;
      const model_name = VIDEO_MODEL;
      return [
        [`${path} image`, (image: string) => json(path, { model_name, image })],
        [
          `${path} image_tail`,
          (image_tail: string) => json(path, { model_name, image: INLINE.split(',')[1], image_tail }),
        ],
        [`${path} only image_tail`, (image_tail: string) => json(path, { model_name, image_tail })],
      ] as const;
    }),
  ),
  ...Object.fromEntries(
    ['/provider-b/', '/jimeng'].flatMap((root) => {
      const path = root + JIMENG;
      const req_key = VIDEO_MODEL;
      return [
        [`${root} image_urls`, (url: string) => json(path, { req_key, image_urls: [url] })],
        [`${root} image_urls, last item`, (url: string) => json(path, { req_key, image_urls: [INLINE, url] })],
      ] as const;
    }),
  ),
  ...imageFields('/v1/images/generations'),
  ...imageFields('/v1/images/edits'),
};
