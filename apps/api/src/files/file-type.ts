import { GatewayError, type FilePurpose, imageType, orList } from '@sluice/canonical';
import mime from 'mime';
import { printable } from '../http/printable.ts';

const UNKNOWN = 'application/octet-stream';
/** Types that the `mime` library lacks. */
const MORE_TYPES: Readonly<Record<string, string>> = { jsonl: 'application/jsonl', ndjson: 'application/x-ndjson' };
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** Returns the declared media type without parameters. If the client declared none, the name decides. */
export function mediaTypeOf(declared: string | undefined, filename: string): string {
  const [, type = UNKNOWN] = /^([\w.+-]{1,63}\/[\w.+-]{1,63})(?:;|$)/.exec(declared?.toLowerCase() ?? '') ?? [];
  if (type !== UNKNOWN) return type;
  const extension = /\.(\w{1,10})$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  return mime.getType(extension) ?? MORE_TYPES[extension] ?? UNKNOWN;
}

export function isImageType(mediaType: string): boolean {
  return IMAGE_TYPES.has(mediaType);
}

/**
 * Returns the media type of an image from its first bytes, because its declared type and its name may be wrong. The media
 * types of other files are not changed.
 * @throws GatewayError `invalid_request` if a file with the type of an image is no image
 */
export function checkedMediaType(mediaType: string, head: Uint8Array, param: string): string {
  if (!IMAGE_TYPES.has(mediaType)) return mediaType;
  const actual = imageType(head);
  if (actual !== undefined && IMAGE_TYPES.has(actual)) return actual;
  const what = `The file has the type ${mediaType}, but its content is no PNG, JPEG, WebP, or GIF image.`;
  throw new GatewayError('invalid_request', what, { param });
}

export interface TypedFile {
  filename: string;
  mediaType: string;
  purpose: FilePurpose;
}

/**
 * @param allowed media types, where `*` stands for any
 * @param param the name of the client's field
 * @throws GatewayError `invalid_request` if the file's type is not allowed, or does not fit its purpose
 */
export function checkFileType({ filename, mediaType, purpose }: TypedFile, allowed: readonly string[], param: string) {
  if (!allowed.some((pattern) => matches(mediaType, pattern))) {
    const what = `Files of type ${printable(mediaType)} are not allowed. Upload ${orList(allowed)}.`;
    throw new GatewayError('invalid_request', what, { param });
  }
  if ((purpose === 'batch' || purpose === 'fine-tune') && !filename.toLowerCase().endsWith('.jsonl')) {
    const what = `A file for the purpose ${purpose} must have a name that ends in \`.jsonl\`.`;
    throw new GatewayError('invalid_request', what, { param });
  }
  if (purpose === 'vision' && !IMAGE_TYPES.has(mediaType)) {
    throw new GatewayError(
      'invalid_request',
      'A file for the purpose vision must be a PNG, JPEG, WebP, or GIF image.',
      {
        param,
      },
    );
  }
}

function matches(mediaType: string, pattern: string): boolean {
  if (pattern === '*/*') return true;
  return pattern.endsWith('/*') ? mediaType.startsWith(pattern.slice(0, -1)) : mediaType === pattern.toLowerCase();
}
