import type { JobInput } from '../../jobs/media-job.ts';
import { measurePicture, type PictureFacts, type PictureType } from '../../media/picture/measure-picture.ts';
import { describeBytes } from './describe-input.ts';

/** What a vendor asks of a picture that comes inside JSON. */
export interface PictureRules {
  /** Ways to send one besides an http or https URL. */
  ways: readonly ('data-url' | 'base64')[];
  /** Beginnings of the vendor's own references, such as `oss://`. */
  own?: readonly string[];
  types: readonly PictureType[];
  mostBytes: number;
  /** Pixels of each side. */
  leastSide: number;
  mostSide?: number;
  /** The longer side by the shorter one. */
  mostRatio: number;
}

/** A picture that is fine, or what is wrong with it. */
export type ReadPicture =
  | {
      input: JobInput;
      /** Absent for a reference, which is not fetched. */
      facts?: PictureFacts;
    }
  | { problem: string };

function bytesOf(value: string, { ways }: PictureRules): Buffer | undefined {
  const [, inUrl] = /^data:image\/[\w.+-]+;base64,([\s\S]*)$/i.exec(value) ?? [];
  const text = inUrl === undefined ? (ways.includes('base64') ? value : '') : ways.includes('data-url') ? inUrl : '';
  const isBase64 = text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  return isBase64 ? Buffer.from(text, 'base64') : undefined;
}

function problemOf({ width, height }: PictureFacts, rules: PictureRules): string | undefined {
  const { leastSide, mostSide = Number.POSITIVE_INFINITY, mostRatio } = rules;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < leastSide) return `has ${width}x${height} pixels, but no side may have less than ${leastSide}`;
  if (long > mostSide) return `has ${width}x${height} pixels, but no side may have more than ${mostSide}`;
  if (long > short * mostRatio)
    return `has ${width}x${height} pixels, beyond the ratios 1:${mostRatio} to ${mostRatio}:1`;
  return undefined;
}

/**
 * Reads a picture that a request names or holds; nothing is fetched.
 * @param field the name under which it is remembered.
 */
export function readPicture(field: string, value: string, rules: PictureRules): ReadPicture {
  const isOwn = rules.own?.some((beginning) => value.startsWith(beginning)) ?? false;
  if (isOwn || (/^https?:\/\//i.test(value) && URL.canParse(value))) return { input: { field, reference: value } };
  const bytes = bytesOf(value, rules);
  if (bytes === undefined) return { problem: 'is neither a URL nor base64 of a picture' };
  if (bytes.length > rules.mostBytes) return { problem: `is larger than ${rules.mostBytes / 1024 ** 2} MB` };
  const facts = measurePicture(bytes, rules.types);
  if (facts === undefined) return { problem: `is no picture of the kinds ${rules.types.join(', ')}` };
  const problem = problemOf(facts, rules);
  return problem === undefined ? { input: describeBytes(field, bytes, facts.mediaType), facts } : { problem };
}
