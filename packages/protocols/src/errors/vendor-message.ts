import { cutText } from '@sluice/canonical';

const LONGEST = 500;
/** What keys, ids and hosts are made of: a cut may stand in the middle of one. */
const CUT_WORD = /[\w.~+/=:*-]+$/;

/**
 * A vendor's words as clients may be told them: one line of at most 500 characters. What hides credentials afterwards knows
 * whole ones alone, so a longer text is cut where a word ends; one endless word leaves nothing.
 */
export function vendorMessage(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= LONGEST) return line;
  const whole = cutText(line, LONGEST - 1)
    .replace(CUT_WORD, '')
    .trimEnd();
  return whole === '' ? '' : `${whole}…`;
}
