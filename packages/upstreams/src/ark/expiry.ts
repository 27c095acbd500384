import { createHash } from 'node:crypto';

/** Ark's default and maximum of `execution_expires_after`, in seconds. */
const DEFAULT_SECONDS = 172_800;
const MAX_SECONDS = 259_200;

/**
 * How long Ark may queue the task of an attempt: a number derived from the attempt's reference. Ark has no client
 * reference and lists no prompts, but returns this number, so the lookup can tell our task from another client's.
 */
export function expirySeconds(reference: string): number {
  const number = createHash('sha256').update(reference).digest().readUInt32BE(0);
  return DEFAULT_SECONDS + (number % (MAX_SECONDS - DEFAULT_SECONDS + 1));
}
