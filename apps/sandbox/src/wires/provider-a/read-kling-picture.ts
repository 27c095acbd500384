import type { JobInput } from '../../jobs/media-job.ts';
import { measurePicture, type PictureFacts } from '../../media/picture/measure-picture.ts';
import { describeBytes, describeReference } from '../media/describe-input.ts';
import { invalidField } from './kling-error.ts';

/** A picture that came with a request. */
export interface KlingPicture {
  input: JobInput;
  /** Absent for a URL, which is not fetched. */
  facts?: PictureFacts;
}

const MOST_BYTES = 10 * 1024 ** 2;
const LEAST_SIDE = 300;
/** The longer side by the shorter one. */
const MOST_RATIO = 2.5;

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

/**
 * Reads a picture: a URL, or bare base64 of a JPEG or PNG of at most 10 MB, no side below 300 pixels, no side over 2.5
 * times the other. A `data:` prefix makes it invalid (Kling docs, "Image to Video", `image`).
 * @throws WireError 1201.
 */
export function readKlingPicture(field: string, value: string): KlingPicture {
  if (isUrl(value)) return { input: describeReference(field, value) };
  if (!isBase64(value)) throw invalidField(field, 'is not a URL, nor base64 without a data: prefix');
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length > MOST_BYTES) throw invalidField(field, 'is larger than 10MB');
  const facts = measurePicture(bytes);
  if (facts === undefined) throw invalidField(field, 'is no JPEG or PNG');
  const [short, long] = [Math.min(facts.width, facts.height), Math.max(facts.width, facts.height)];
  if (short < LEAST_SIDE) throw invalidField(field, `must not have a side below ${LEAST_SIDE}px`);
  if (long > short * MOST_RATIO) throw invalidField(field, 'must have a ratio from 1:2.5 to 2.5:1');
  return { input: describeBytes(field, bytes, facts.mediaType), facts };
}
