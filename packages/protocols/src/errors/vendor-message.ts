import { cutText } from '@sluice/canonical';

const LONGEST = 500;
/** Characters of keys, ids, and hosts, which a cut must not split. */
const CUT_WORD = /[\w.~+/=:*-]+$/;

/**
 * A vendor's message for clients: one line of at most 500 characters. Longer text is cut at a word boundary, because
 * redaction recognizes complete credentials only; a single long word leaves nothing.
 */
export function vendorMessage(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= LONGEST) return line;
  const whole = cutText(line, LONGEST - 1)
    .replace(CUT_WORD, '')
    .trimEnd();
  return whole === '' ? '' : `${whole}…`;
}
