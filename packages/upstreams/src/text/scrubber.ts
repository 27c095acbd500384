/** OpenAI's organization and project ids, and keys that a vendor masks with asterisks. */
const IDENTIFYING = [/\borg-[A-Za-z0-9]{8,}/g, /\bproj_[A-Za-z0-9]{8,}/g, /\b[A-Za-z]{2,5}[-_][\w.-]*\*{2,}[\w*.-]*/g];

/** Shorter strings are not credentials. Hiding them would damage other text. */
const MIN_LENGTH = 3;

/**
 * Creates a function that hides the given strings and any OpenAI ids and masked keys.
 * @param words credentials and hosts
 */
export function scrubber(words: readonly (string | undefined)[]): (text: string) => string {
  const hidden = [...new Set(words.filter((word) => word !== undefined && word.length >= MIN_LENGTH))]
    // Hide longer strings first, because one may contain another: `host:port` and `host`.
    .toSorted((one, other) => (other?.length ?? 0) - (one?.length ?? 0));
  return (text) => {
    let clean = text;
    for (const word of hidden) if (word !== undefined) clean = clean.replaceAll(word, '[hidden]');
    for (const pattern of IDENTIFYING) clean = clean.replaceAll(pattern, '[hidden]');
    return clean;
  };
}
