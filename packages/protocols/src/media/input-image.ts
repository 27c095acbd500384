import { GatewayError, type ImageRole, type InputImage } from '@sluice/canonical';
import { z } from 'zod';
import { baseName, invalidField } from '../forms/form-fields.ts';
import type { InlineImage, MediaForm, StoredFile } from '../contracts/media-protocol.ts';

const MAX_URL_CHARACTERS = 8_192;
/** 20 MiB of picture; more is for files, which are never held in memory. */
const MAX_BASE64_CHARACTERS = Math.ceil((20 * 2 ** 20) / 3) * 4;
/** Most pictures that go into one wish. */
const MAX_IMAGES = 16;

/** A picture whose use is told by its place among the others. */
export type Picture = Omit<InputImage, 'role'> | Omit<InlineImage, 'role'>;

/** Ways in which a client may write a picture, beside http(s) URLs and data URLs. */
export interface ImageFormat {
  /** Whether base64 may stand alone, without the head of a data URL. */
  bareBase64: boolean;
}

/** A picture told in JSON: its text, or an object that holds it. */
export const PictureSchema = z
  .union(
    [
      z.string(),
      z.looseObject({
        image_url: z.string({ error: 'must be an http(s) URL or a data URL' }).optional(),
        file_id: z.string({ error: 'must be a string' }).optional(),
      }),
    ],
    { error: 'must be a picture file, a URL, or an object with image_url' },
  )
  .meta({ description: 'A picture by URL: `image_url` is an http(s) URL or a base64 data URL.' });

/**
 * Reads a picture from what {@link PictureSchema} has let pass.
 * @param param the field it came in, for errors
 * @throws GatewayError `invalid_request`, or `payload_too_large` for more base64 than a text should carry
 */
export function readPicture(
  given: z.output<typeof PictureSchema>,
  param: string,
  spelling: ImageFormat = { bareBase64: false },
): Picture {
  if (typeof given === 'string') return readImageText(given, param, spelling);
  // The ids of files lie at a vendor, whose account all keys share.
  if (given.file_id !== undefined) {
    throw invalidField(`${param}[file_id]`, 'is not supported: send the picture as a file or as image_url');
  }
  const inner = `${param}[image_url]`;
  if (given.image_url === undefined || given.image_url === '') {
    throw invalidField(inner, 'is required when no file is sent');
  }
  return readImageText(given.image_url, inner, spelling);
}

/** Reads a picture from its URL, data URL or, where the protocol has it so, bare base64. */
export function readImageText(text: string, param: string, spelling: ImageFormat = { bareBase64: false }): Picture {
  if (text.slice(0, 5).toLowerCase() === 'data:') return readDataUrl(text, param);
  if (spelling.bareBase64 && !text.slice(0, 16).includes(':')) {
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

function readDataUrl(text: string, param: string): Picture {
  const comma = text.indexOf(',');
  const [mediaType = '', ...parameters] = text.slice(5, Math.max(comma, 5)).split(';');
  const isBase64 = comma >= 0 && parameters.at(-1)?.toLowerCase() === 'base64';
  const base64 = isBase64 ? readBase64(text.slice(comma + 1), param) : undefined;
  if (base64 === undefined) {
    throw invalidField(param, 'must be a base64 data URL such as data:image/png;base64,…');
  }
  return { ...(mediaType !== '' && { mediaType: mediaType.toLowerCase() }), base64, param };
}

/** Both alphabets of base64, with or without line breaks, which many encoders put in. */
function readBase64(text: string, param: string): string | undefined {
  if (text.length > MAX_BASE64_CHARACTERS) {
    throw new GatewayError('payload_too_large', `${param} holds more than 20 MiB. Send it as a file or by URL.`, {
      param,
    });
  }
  const base64 = /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, '') : text;
  return /^[\w+/-]+={0,2}$/.test(base64) ? base64 : undefined;
}

/** The stored files of a form that came in one of these fields, by their names without brackets. */
export function filesIn({ files }: MediaForm, ...fields: readonly string[]): StoredFile[] {
  return files.filter(({ field }) => fields.includes(baseName(field)));
}

/** A stored file as a picture. */
export function storedImage({ key, mediaType, filename, bytes }: StoredFile): Picture {
  return { source: { kind: 'stored', key, mediaType, filename, bytes } };
}

/**
 * Gives pictures whose use the protocol leaves open their roles by their number, as new-api's adaptors do: one is the
 * first frame, two are the first and the last, more are references.
 */
export function asFrames(images: readonly Picture[], param: string): (InputImage | InlineImage)[] {
  if (images.length > 2) return inRole('reference', images, param);
  return images.map((image, index) => ({ role: index === 0 ? 'first_frame' : 'last_frame', ...image }));
}

/** Gives every picture the same role. */
export function inRole(role: ImageRole, images: readonly Picture[], param: string): (InputImage | InlineImage)[] {
  if (images.length > MAX_IMAGES) throw invalidField(param, `may hold at most ${MAX_IMAGES} pictures`);
  return images.map((image) => ({ role, ...image }));
}
