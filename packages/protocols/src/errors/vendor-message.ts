import { cutText } from '@sluice/canonical';

const MAX_LENGTH = 500;
/** A cut must not split keys, ids, and hosts. */
const CUT_WORD = /[\w.~+/=:*-]+$/;

/**
 * A vendor's message for clients: one line of at most 500 characters. Longer text is cut at a word boundary, because
 * redaction recognizes complete credentials only; a single long word leaves nothing.
 */
export function vendorMessage(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= MAX_LENGTH) return line;
  const cut = cutText(line, MAX_LENGTH - 1)
    .replace(CUT_WORD, '')
    .trimEnd();
  return cut === '' ? '' : `${cut}…`;
}
