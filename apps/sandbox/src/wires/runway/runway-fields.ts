import { z } from 'zod';
import type { ImageRules } from '../media/read-image.ts';
import { readImage } from '../media/read-image.ts';

/** Source: docs.dev.runwayml.com, "API Input Parameters". */
export const IMAGE_RULES: ImageRules = {
  encodings: ['data-url'],
  schemes: ['runway://'],
  types: ['image/png', 'image/jpeg', 'image/webp'],
  maxBytes: 5 * 1024 ** 2,
  minSide: 2,
  maxSide: 8000,
  maxRatio: Number.POSITIVE_INFINITY,
};
const MAX_URL_LENGTH = 2048;

function problemOf(uri: string): string | undefined {
  if (uri.startsWith('http:')) return 'URLs must use HTTPS';
  if (/^https:\/\/(\d{1,3}\.){3}\d{1,3}([:/]|$)/.test(uri))
    return 'URLs must reference a domain name, not an IP address';
  if (uri.startsWith('https:') && uri.length > MAX_URL_LENGTH)
    return `URLs must not exceed ${MAX_URL_LENGTH} characters`;
  if (uri.length > IMAGE_RULES.maxBytes) return 'Data URIs must not exceed 5MB';
  const read = readImage('uri', uri, IMAGE_RULES);
  return 'problem' in read ? `Invalid asset: it ${read.problem}` : undefined;
}

const Uri = z.string().superRefine((uri, context) => {
  const message = problemOf(uri);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

export const Reference = z.strictObject({ uri: Uri });
export const TaggedReference = z.strictObject({
  uri: Uri,
  tag: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{2,15}$/)
    .optional(),
});
export const SubjectReference = TaggedReference.extend({ subject: z.enum(['object', 'human']).optional() });

type PositionedImage = { uri: string; position?: 'first' | 'last' | undefined };

function positionProblem(images: readonly PositionedImage[]): string | undefined {
  const positions = images.flatMap(({ position }) => (position === undefined ? [] : [position]));
  if (positions.length > 0 && positions.length < images.length) return 'Keyframes and references cannot be mixed';
  if (new Set(positions).size < positions.length) return 'Each position may be used only once';
  return positions.includes('last') && !positions.includes('first') ? 'A last frame requires a first frame' : undefined;
}

/** `first` allows only a first frame, `frames` also a last frame, and `any` also references without positions. */
export function promptImage(allowed: 'first' | 'frames' | 'any') {
  const positions = allowed === 'first' ? (['first'] as const) : (['first', 'last'] as const);
  const position = allowed === 'any' ? z.enum(positions).optional() : z.enum(positions);
  const max = allowed === 'first' ? 1 : allowed === 'frames' ? 2 : 30;
  const list = z
    .array(z.strictObject({ uri: Uri, position }))
    .min(1)
    .max(max);
  const positioned = list.superRefine((items: readonly PositionedImage[], context) => {
    const message = positionProblem(items);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
  return z.union([Uri, positioned]);
}

/** The maximum length is in UTF-16 code units. */
export const promptText = (max: number) => z.string().min(1).max(max);
export const seconds = (min: number, max: number) => z.int().min(min).max(max);
export const oneOf = (names: string) => z.enum(names.trim().split(/\s+/));
export const seed = z
  .int()
  .min(0)
  .max(2 ** 32 - 1)
  .optional();
export const audio = z.boolean().optional();
export const contentModeration = z
  .strictObject({ publicFigureThreshold: z.enum(['auto', 'low']).optional() })
  .optional();
/** Audio and video references. Only their format is checked. */
export const others = (type: 'audio' | 'video') =>
  z.array(z.strictObject({ type: z.literal(type).optional(), uri: z.string().min(1) })).optional();
