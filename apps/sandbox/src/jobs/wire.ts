import { z } from 'zod';

/** The wires of media; a job belongs to one. */
const WIRES = [
  'videos',
  'provider-a',
  'provider-b',
  'dashscope',
  'ark',
  'minimax',
  'vidu',
  'veo',
  'runway',
  'fal',
  'replicate',
  'images',
  'generative-images',
] as const;

/** See {@link WIRES}. */
export const WireSchema = z.enum(WIRES);

/** See {@link WIRES}. */
export type Wire = (typeof WIRES)[number];

/** Tells whether a text names a wire. */
export function isWire(text: string): text is Wire {
  return WireSchema.safeParse(text).success;
}
