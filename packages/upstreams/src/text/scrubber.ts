/** OpenAI's organization and project ids, keys that a vendor has masked with asterisks, and JSON web tokens. */
const IDENTIFYING = [
  /\borg-[A-Za-z0-9]{8,}/g,
  /\bproj_[A-Za-z0-9]{8,}/g,
  /\b[A-Za-z]{2,5}[-_][\w.-]*\*{2,}[\w*.-]*/g,
  /\beyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]*)?/g,
];

/** A shorter string is not a credential. Hiding it would damage other text. */
const MIN_LENGTH = 3;

/**
 * Creates a function that hides the given strings, OpenAI's ids, masked keys, and tokens.
 * @param secrets credentials and hosts
 * @param changing returns credentials that are replaced from time to time
 */
export function scrubber(
  secrets: readonly (string | undefined)[],
  changing: () => readonly string[] = () => [],
): (text: string) => string {
  const hidden = longestFirst(secrets);
  return (text) => {
    let clean = text;
    for (const secret of [...longestFirst(changing()), ...hidden]) clean = clean.replaceAll(secret, '[hidden]');
    for (const pattern of IDENTIFYING) clean = clean.replaceAll(pattern, '[hidden]');
    return clean;
  };
}

/** Hides longer strings first, because they may contain shorter ones, e.g. `host:port` contains `host`. */
function longestFirst(secrets: readonly (string | undefined)[]): string[] {
  const long = secrets.flatMap((secret = '') => (secret.length >= MIN_LENGTH ? [secret] : []));
  return [...new Set(long)].toSorted((one, other) => other.length - one.length);
}
