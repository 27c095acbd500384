import { ID_DIGITS, type MediaKind, type RandomBytes, sortableDigits } from '@sluice/canonical';

/**
 * Creates a task id: `video_` or `image_`, a digit for the shard, and sortable digits. Ids of a shard sort by creation
 * time. They cannot be guessed. They always contain a letter, because BullMQ rejects ids that consist only of digits.
 * @param now Unix milliseconds
 * @param shard the number of the Redis with the task's record; 0 is the home
 */
export function newTaskId(kind: MediaKind, now: number, randomBytes: RandomBytes, shard = 0): string {
  return `${kind}_${ID_DIGITS.charAt(shard)}${sortableDigits(now, randomBytes)}`;
}

/** Checks whether a text has the format of a task id. Any other text is rejected before it reaches Redis. */
export function isTaskId(text: string): boolean {
  return /^(?:video|image)_[0-9a-hjkmnp-tv-z]{26}$/.test(text);
}
