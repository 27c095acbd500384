import { stringEnd } from './json-members.ts';

/** Longer ones are told by their beginning: keys and words that anybody looks for are shorter. */
const LONGEST = 24;
/** Characters of a long string that are told. */
const BEGINNING = 4;

/**
 * The short strings of a JSON text, keys and values alike, and the first four characters of the long ones, each followed by
 * `…`. One pass that skips over long strings at the speed of a byte search, however many are looked for.
 */
export function jsonStrings(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  let at = text.indexOf('"');
  while (at !== -1) {
    const end = stringEnd(text, at);
    if (end === -1) break;
    const isShort = end - at - 2 <= LONGEST;
    found.add(isShort ? text.slice(at + 1, end - 1) : `${text.slice(at + 1, at + 1 + BEGINNING)}…`);
    at = text.indexOf('"', end);
  }
  return found;
}
