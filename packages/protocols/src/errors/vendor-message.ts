import { cutText } from '@sluice/canonical';

const MAX_LENGTH = 500;
/** Matches a word at the end of the text. Truncation must not split keys, ids, or hosts. */
const CUT_WORD = /[\w.~+/=:*-]+$/;

/**
 * Formats a vendor's message for clients: one line of at most 500 characters. Longer text is cut at a word boundary,
 * because redaction recognizes only complete credentials. If the text is a single long word, the result is empty.
 */
export function vendorMessage(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= MAX_LENGTH) return line;
  const cut = cutText(line, MAX_LENGTH - 1)
    .replace(CUT_WORD, '')
    .trimEnd();
  return cut === '' ? '' : `${cut}…`;
}
