import { GatewayError, type ImageRole, type InputImage, isFileId } from '@sluice/canonical';
import { z } from 'zod';
import { baseName } from '../forms/form-fields.ts';
import { invalidField } from '../json/json-field.ts';
import type { FileImage, InlineImage, MediaForm, RequestImage, StoredFile } from '../contracts/media-protocol.ts';

const MAX_URL_CHARACTERS = 8_192;
/** 20 MiB of image data. A larger image must be uploaded as a file, which is never buffered in memory. */
const MAX_BASE64_CHARACTERS = Math.ceil((20 * 2 ** 20) / 3) * 4;
const MAX_IMAGES = 16;

/** A decoded image without a role, which the caller assigns. */
export type DecodedImage = Omit<InputImage, 'role'> | Omit<InlineImage, 'role'> | Omit<FileImage, 'role'>;

export interface ImageFormat {
  /** Whether base64 without a data URL prefix is allowed. */
  bareBase64: boolean;
}

export const ImageInputSchema = z
  .union(
    [
      z.string(),
      z.looseObject({
        image_url: z.string({ error: 'must be an http(s) URL or a data URL' }).optional(),
        file_id: z.string({ error: 'must be a string' }).optional(),
      }),
    ],
    { error: 'must be an image file, a URL, or an object with image_url or file_id' },
  )
  .meta({
    description: 'An image: `image_url` is an http(s) URL or a base64 data URL, `file_id` the id of an uploaded file.',
  });

/** @throws GatewayError `invalid_request`, or `payload_too_large` if the base64 is too long for JSON */
export function readImage(
  image: z.output<typeof ImageInputSchema>,
  param: string,
  format: ImageFormat = { bareBase64: false },
): DecodedImage {
  const text = typeof image === 'string' ? image : image.image_url;
  if (text !== undefined && /^(file-|\{)/.test(text)) {
    throw invalidField(param, `must be a URL or a data URL. Send the id of a file in ${param}[file_id]`);
  }
  if (typeof image === 'string') return readImageText(image, param, format);
  if (image.file_id !== undefined && image.file_id !== '') return readFileId(image.file_id, image.image_url, param);
  const inner = `${param}[image_url]`;
  if (image.image_url === undefined || image.image_url === '') {
    throw invalidField(inner, 'is required without a file');
  }
  return readImageText(image.image_url, inner, format);
}

/** Ids of files at vendors are rejected, because all keys share the account at the vendor. */
function readFileId(fileId: string, url: string | undefined, param: string): DecodedImage {
  const inner = `${param}[file_id]`;
  if (url !== undefined && url !== '') throw invalidField(inner, 'cannot be combined with image_url. Send one of them');
  if (isFileId(fileId)) return { fileId, param: inner };
  throw invalidField(inner, 'must be the id of a file that was uploaded to the gateway');
}

export function readImageText(text: string, param: string, format: ImageFormat = { bareBase64: false }): DecodedImage {
  if (text.slice(0, 5).toLowerCase() === 'data:') return readDataUrl(text, param);
  if (format.bareBase64 && !text.slice(0, 16).includes(':')) {
    const base64 = readBase64(text, param);
    if (base64 !== undefined) return { base64, param };
    throw invalidField(param, 'must be an http(s) URL without credentials, or base64');
  }
  const url = text.length <= MAX_URL_CHARACTERS ? URL.parse(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalidField(param, 'must be an http(s) URL without credentials, or a data URL');
  }
  return { source: { kind: 'url', url: url.href } };
}

function readDataUrl(text: string, param: string): DecodedImage {
  const comma = text.indexOf(',');
  const [mediaType = '', ...parameters] = text.slice(5, Math.max(comma, 5)).split(';');
  const isBase64 = comma >= 0 && parameters.at(-1)?.toLowerCase() === 'base64';
  const base64 = isBase64 ? readBase64(text.slice(comma + 1), param) : undefined;
  if (base64 === undefined) {
    throw invalidField(param, 'must be a base64 data URL (e.g. data:image/png;base64,…)');
  }
  return { ...(mediaType !== '' && { mediaType: mediaType.toLowerCase() }), base64, param };
}

/** Accepts standard and URL-safe base64, with or without line breaks, which many encoders add. */
function readBase64(text: string, param: string): string | undefined {
  if (text.length > MAX_BASE64_CHARACTERS) {
    throw new GatewayError(
      'payload_too_large',
      `${param} must be at most 20 MiB of base64 data. Send a larger image as a file or by URL.`,
      {
        param,
      },
    );
  }
  const base64 = /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, '') : text;
  return /^[\w+/-]+={0,2}$/.test(base64) ? base64 : undefined;
}

export function filesIn({ files }: MediaForm, ...fields: readonly string[]): StoredFile[] {
  return files.filter(({ field }) => fields.includes(baseName(field)));
}

export function storedImage({ field: _field, ...file }: StoredFile): DecodedImage {
  return { source: { kind: 'stored', ...file } };
}

/**
 * Assigns roles to images by their number, as new-api's adaptors do. One image is the first frame. Two images are the
 * first and last frame. More images are references.
 */
export function asFrames(images: readonly DecodedImage[], param: string): RequestImage[] {
  if (images.length > 2) return inRole('reference', images, param);
  return images.map((image, index) => ({ role: index === 0 ? 'first_frame' : 'last_frame', ...image }));
}

export function inRole(role: ImageRole, images: readonly DecodedImage[], param: string): RequestImage[] {
  if (images.length > MAX_IMAGES) throw invalidField(param, `must have at most ${MAX_IMAGES} items`);
  return images.map((image) => ({ role, ...image }));
}
