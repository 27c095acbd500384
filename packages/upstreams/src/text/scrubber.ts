/** OpenAI's ids of who pays, and keys that a vendor repeats with stars in them. */
const TELLING = [/\borg-[A-Za-z0-9]{8,}/g, /\bproj_[A-Za-z0-9]{8,}/g, /\b[A-Za-z]{2,5}[-_][\w.-]*\*{2,}[\w*.-]*/g];

/** Shorter words are no credentials; hiding them would blot out innocent ones. */
const SHORTEST = 3;

/**
 * Makes what takes out of a text the words that tell whose account it was written for, and ids of that kind.
 * @param words credentials and hosts
 */
export function scrubber(words: readonly (string | undefined)[]): (text: string) => string {
  const hidden = [...new Set(words.filter((word) => word !== undefined && word.length >= SHORTEST))]
    // A word may hold another one: `host:port` and `host`.
    .toSorted((one, other) => (other?.length ?? 0) - (one?.length ?? 0));
  return (text) => {
    let clean = text;
    for (const word of hidden) if (word !== undefined) clean = clean.replaceAll(word, '[hidden]');
    for (const pattern of TELLING) clean = clean.replaceAll(pattern, '[hidden]');
    return clean;
  };
}
