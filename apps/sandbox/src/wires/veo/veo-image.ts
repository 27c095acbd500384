import { z } from 'zod';
import type { WireError } from '../../http/wire-error.ts';
import type { JobInput } from '../../jobs/media-job.ts';
import { measureImage } from '../../media/image/measure-image.ts';
import { invalidArgument } from '../google-style/google-error.ts';
import { describeBytes } from '../media/describe-input.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

const ImageObject = z.record(z.string(), z.unknown());

export function unsupported(field: string): WireError {
  return invalidArgument(
    `\`${field}\` isn't supported by this model. Please remove it or refer to the Gemini API documentation for supported usage.`,
  );
}

export function wrongType(field: string, type: string): WireError {
  return invalidArgument(`The value type for \`${field}\` needs to be a ${type}.`);
}

/**
 * Images must be inline, because this API fetches none (@ai-sdk/google 4.0.121: "require base64-encoded images or GCS
 * URIs"; GCS URIs belong to another platform).
 * @throws WireError 400.
 */
export function readVeoImage(field: string, value: unknown): JobInput {
  const image = ImageObject.safeParse(value).data;
  if (image === undefined) throw wrongType(field, 'struct');
  const { bytesBase64Encoded: base64, mimeType, ...more } = image;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) throw unsupported(unknown);
  if (typeof base64 !== 'string') throw invalidArgument(`\`bytesBase64Encoded\` is required in \`${field}\`.`);
  if (!TYPES.some((type) => type === mimeType)) {
    throw invalidArgument(`Unsupported mime type for \`${field}\`: ${String(mimeType)}.`);
  }
  const bytes = Buffer.from(base64, 'base64');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64) || measureImage(bytes, TYPES) === undefined) {
    throw invalidArgument(`Unable to process input image in \`${field}\`.`);
  }
  return describeBytes(field, bytes, String(mimeType));
}
