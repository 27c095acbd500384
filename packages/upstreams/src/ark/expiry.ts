import { createHash } from 'node:crypto';

/** Ark's default and maximum `execution_expires_after`, in seconds. */
const DEFAULT_SECONDS = 172_800;
const MAX_SECONDS = 259_200;

/**
 * Returns how long Ark may queue a task, derived from the attempt's reference. Ark supports no client reference and its
 * list contains no prompts, but it returns this number. The lookup uses it to tell our task from another client's.
 */
export function expirySeconds(reference: string): number {
  const number = createHash('sha256').update(reference).digest().readUInt32BE(0);
  return DEFAULT_SECONDS + (number % (MAX_SECONDS - DEFAULT_SECONDS + 1));
}
