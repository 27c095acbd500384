import type { MediaKind } from '@sluice/canonical';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const RANDOM_BYTES = 16;

export type RandomBytes = (size: number) => Uint8Array;

/**
 * Creates a task id: `video_` or `image_`, ten base-32 digits of the time, and sixteen random digits (80 bits). Ids
 * sort by creation time and cannot be guessed. They always contain a letter, because BullMQ rejects ids that consist
 * only of digits.
 * @param now Unix milliseconds
 */
export function newTaskId(kind: MediaKind, now: number, randomBytes: RandomBytes): string {
  let time = '';
  for (let rest = now, i = 0; i < TIME_DIGITS; i++, rest = Math.floor(rest / 32)) {
    time = ALPHABET.charAt(rest % 32) + time;
  }
  let random = '';
  for (const byte of randomBytes(RANDOM_BYTES)) random += ALPHABET.charAt(byte % 32);
  return `${kind}_${time}${random}`;
}

/** Checks whether a text has the format of a task id. Any other text is rejected before it reaches Redis. */
export function isTaskId(text: string): boolean {
  return /^(?:video|image)_[0-9a-hjkmnp-tv-z]{26}$/.test(text);
}
