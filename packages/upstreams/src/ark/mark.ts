import { createHash } from 'node:crypto';

/** Ark's own default of `execution_expires_after`, and the longest it takes, in seconds. */
const USUAL_SECONDS = 172_800;
const MAX_SECONDS = 259_200;

/**
 * Our mark on a task: how long Ark may keep it waiting, between its default and its longest, chosen by the attempt's
 * reference. Ark takes no name from a client and lists no prompts, but it tells this number, so that the task of a lost
 * answer is not mistaken for another client's.
 */
export function markOf(reference: string): number {
  const number = createHash('sha256').update(reference).digest().readUInt32BE(0);
  return USUAL_SECONDS + (number % (MAX_SECONDS - USUAL_SECONDS + 1));
}
