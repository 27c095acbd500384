import { createHash } from 'node:crypto';
import type { MediaLossReport } from '@sluice/canonical';

/** The highest seed of Nova and Titan (Amazon Nova user guide). */
const MAX_SEED = 2_147_483_646;

export function limitedSeed(seed: number | undefined, report: MediaLossReport): number | undefined {
  if (seed === undefined || seed <= MAX_SEED) return seed;
  report({ field: 'seed', how: 'clamped' });
  return MAX_SEED;
}

/**
 * Returns a seed for a request without one, because the models have a constant default, with which a prompt always
 * generates the same file.
 * @param reference the id of the attempt
 */
export function seedOf(reference: string): number {
  return createHash('sha256').update(reference).digest().readUInt32BE(0) % (MAX_SEED + 1);
}
