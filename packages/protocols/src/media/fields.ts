import { z } from 'zod';
import { requiredOr } from '../json/plain-text.ts';

/** Maximum prompt length in characters, unless the vendor's limit is lower. */
export const MAX_PROMPT = 32_768;
const MAX_SECONDS = 3_600;
const MAX_SEED = 2 ** 53 - 1;

/** Text with a maximum length. A lone surrogate becomes the replacement character. */
export function boundedText(max: number) {
  return z
    .string({ error: 'must be a string' })
    .max(max, { error: `must be at most ${max} characters` })
    .transform((text) => text.toWellFormed());
}

export function promptText(max = MAX_PROMPT, missing = 'is required') {
  return z
    .string({ error: ({ input }) => (input === undefined ? missing : 'must be a string') })
    .max(max, { error: `must be at most ${max} characters` })
    .transform((text) => text.toWellFormed())
    .refine((prompt) => prompt.trim() !== '', { error: missing });
}

export const ModelSchema = z
  .string(requiredOr('must be a string'))
  .max(256, { error: 'must be at most 256 characters' })
  .refine((model) => model.trim() !== '', { error: 'must not be blank' });

/** An integer, or a string of digits as forms and query strings send it. */
export function integer(min: number, max: number, error = `must be an integer from ${min} to ${max}`) {
  return z
    .union([z.number({ error }), z.string({ error }).regex(/^-?\d{1,16}$/, { error })], { error })
    .transform(Number)
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }));
}

export function decimalNumber(min: number, max: number) {
  const error = `must be a number from ${min} to ${max}`;
  return z
    .union([z.number({ error }), z.string({ error }).regex(/^-?\d{1,16}(\.\d{1,16})?$/, { error })], { error })
    .transform(Number)
    .pipe(z.number({ error }).min(min, { error }).max(max, { error }));
}

export const FlagSchema = z
  .union(
    [z.boolean(), z.string().regex(/^(?:[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$/, { error: 'must be true or false' })],
    {
      error: 'must be true or false',
    },
  )
  .transform((flag) => flag === true || String(flag).toLowerCase() === 'true');

/** Normalizes a duration to text (e.g. `"04"` to `"4"`). The upstream determines which durations it supports. */
export const SecondsSchema = z
  .union([z.string(), z.number()], { error: 'must be a number of seconds (e.g. "4")' })
  // Numbers follow the same rule as text, so 1e-7 and 0.30000000000000004 are not valid durations.
  .refine((seconds) => /^\d{1,4}(\.\d{1,3})?$/.test(String(seconds)), {
    error: 'must be a number of seconds with at most 3 decimals (e.g. "4")',
    abort: true,
  })
  .refine((seconds) => Number(seconds) > 0 && Number(seconds) <= MAX_SECONDS, {
    error: `must be more than 0 and at most ${MAX_SECONDS}`,
  })
  .transform((seconds) => String(Number(seconds)));

export const SizeSchema = z
  .string({ error: 'must be a string (e.g. 1280x720)' })
  .regex(/^[1-9]\d{1,4}x[1-9]\d{1,4}$/, { error: 'must be WIDTHxHEIGHT in pixels (e.g. 1280x720)' });

/** A width or height in pixels. */
export const SideSchema = integer(10, 99_999);

export const AspectRatioSchema = z
  .string({ error: 'must be a string (e.g. 16:9)' })
  .regex(/^[1-9]\d{0,3}:[1-9]\d{0,3}$/, { error: 'must be W:H (e.g. 16:9)' });

/** A video height in the vendors' notation, in lower case (e.g. `720p` or `4k`). */
export const ResolutionSchema = z
  .string({ error: 'must be a string (e.g. 720p)' })
  .regex(/^(?:[1-9]\d{2,3}[pP]|[248][kK])$/, { error: 'must be a height (e.g. 480p, 720p, 1080p, or 4k)' })
  .transform((resolution) => resolution.toLowerCase());

export const FpsSchema = integer(1, 240);

/** Many vendors use -1 for "no seed" (e.g. Kling and Volcengine). */
export const SeedSchema = integer(-1, MAX_SEED).transform((seed) => (seed === -1 ? undefined : seed));

export const MetadataSchema = z
  .record(z.string(), z.unknown(), { error: 'must be an object' })
  .meta({ description: 'Options for the upstream. Fields that name a model or a callback are removed.' });
