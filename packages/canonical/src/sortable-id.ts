/** The digits of ids: Crockford's base 32 in lower case. */
export const ID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Enough until the year 3084. */
const TIME_DIGITS = 9;
const RANDOM_BYTES = 16;

export type RandomBytes = (size: number) => Uint8Array;

/**
 * Returns nine digits of the time and sixteen random digits (80 bits). Texts of later times sort later, and they cannot
 * be guessed.
 * @param now Unix milliseconds
 */
export function sortableDigits(now: number, randomBytes: RandomBytes): string {
  let time = '';
  for (let rest = now, i = 0; i < TIME_DIGITS; i++, rest = Math.floor(rest / 32)) {
    time = ID_DIGITS.charAt(rest % 32) + time;
  }
  let random = '';
  for (const byte of randomBytes(RANDOM_BYTES)) random += ID_DIGITS.charAt(byte % 32);
  return time + random;
}
