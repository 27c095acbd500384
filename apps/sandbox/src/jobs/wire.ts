import { z } from 'zod';

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

export const WireSchema = z.enum(WIRES);

export type Wire = (typeof WIRES)[number];

export function isWire(text: string): text is Wire {
  return WireSchema.safeParse(text).success;
}
