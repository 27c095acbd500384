/** OpenAI's organization and project ids, and keys that a vendor has masked with asterisks. */
const IDENTIFYING = [/\borg-[A-Za-z0-9]{8,}/g, /\bproj_[A-Za-z0-9]{8,}/g, /\b[A-Za-z]{2,5}[-_][\w.-]*\*{2,}[\w*.-]*/g];

/** A shorter string is not a credential. Hiding it would damage other text. */
const MIN_LENGTH = 3;

/**
 * Creates a function that hides the given strings, OpenAI's ids, and masked keys.
 * @param secrets credentials and hosts
 */
export function scrubber(secrets: readonly (string | undefined)[]): (text: string) => string {
  const hidden = [...new Set(secrets.filter((secret) => secret !== undefined && secret.length >= MIN_LENGTH))]
    // Hide longer strings first, because they may contain shorter ones, e.g. `host:port` contains `host`.
    .toSorted((one, other) => (other?.length ?? 0) - (one?.length ?? 0));
  return (text) => {
    let clean = text;
    for (const secret of hidden) if (secret !== undefined) clean = clean.replaceAll(secret, '[hidden]');
    for (const pattern of IDENTIFYING) clean = clean.replaceAll(pattern, '[hidden]');
    return clean;
  };
}
