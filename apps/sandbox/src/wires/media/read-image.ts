import type { WireError } from '../../http/wire-error.ts';
import type { JobInput } from '../../jobs/media-job.ts';
import { measureImage, type ImageFacts, type ImageType } from '../../media/image/measure-image.ts';
import { describeBytes } from './describe-input.ts';

export interface ImageRules {
  /** Encodings that are accepted in addition to http and https URLs. */
  encodings: readonly ('data-url' | 'base64')[];
  /** The vendor's own URL schemes, such as `oss://`. */
  schemes?: readonly string[];
  types: readonly ImageType[];
  maxBytes: number;
  minSide: number;
  maxSide?: number;
  maxRatio: number;
}

export interface ImageInput {
  input: JobInput;
  /** Undefined for a URL, which is never fetched. */
  facts?: ImageFacts;
}

export type ReadImage = ImageInput | { problem: string };

function bytesOf(value: string, { encodings }: ImageRules): Buffer | undefined {
  const [, inUrl] = /^data:image\/[\w.+-]+;base64,([\s\S]*)$/i.exec(value) ?? [];
  const encoding = inUrl === undefined ? 'base64' : 'data-url';
  const text = encodings.includes(encoding) ? (inUrl ?? value) : '';
  const isBase64 = text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  return isBase64 ? Buffer.from(text, 'base64') : undefined;
}

function problemOf({ width, height }: ImageFacts, rules: ImageRules): string | undefined {
  const { minSide, maxSide = Number.POSITIVE_INFINITY, maxRatio } = rules;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < minSide) return `has ${width}x${height} pixels, but no side may have less than ${minSide}`;
  if (long > maxSide) return `has ${width}x${height} pixels, but no side may have more than ${maxSide}`;
  if (long > short * maxRatio) return `has ${width}x${height} pixels, beyond the ratios 1:${maxRatio} to ${maxRatio}:1`;
  return undefined;
}

export function readImage(field: string, value: string, rules: ImageRules): ReadImage {
  const isVendorUrl = rules.schemes?.some((scheme) => value.startsWith(scheme)) ?? false;
  if (isVendorUrl || (/^https?:\/\//i.test(value) && URL.canParse(value)))
    return { input: { field, reference: value } };
  const bytes = bytesOf(value, rules);
  if (bytes === undefined) return { problem: 'is neither a URL nor base64 of an image' };
  if (bytes.length > rules.maxBytes) return { problem: `is larger than ${rules.maxBytes / 1024 ** 2} MB` };
  const facts = measureImage(bytes, rules.types);
  if (facts === undefined) return { problem: `is no image of the types ${rules.types.join(', ')}` };
  const problem = problemOf(facts, rules);
  return problem === undefined ? { input: describeBytes(field, bytes, facts.mediaType), facts } : { problem };
}

export function requireImage(field: string, value: string, rules: ImageRules, refuse: (problem: string) => WireError) {
  const image = readImage(field, value, rules);
  if ('problem' in image) throw refuse(image.problem);
  return image;
}
