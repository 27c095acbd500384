import { createHash } from 'node:crypto';

/** The default and the maximum of Ark's `execution_expires_after`, in seconds. */
const DEFAULT_SECONDS = 172_800;
const MAX_SECONDS = 259_200;

/**
 * Derives from an attempt's reference how long Ark may queue a task. Ark stores no client reference and lists no
 * prompts, but it returns this number. The lookup uses it to distinguish our task from another client's task.
 */
export function expirySeconds(reference: string): number {
  const number = createHash('sha256').update(reference).digest().readUInt32BE(0);
  return DEFAULT_SECONDS + (number % (MAX_SECONDS - DEFAULT_SECONDS + 1));
}
