/**
 * Splits a path (e.g. `models%2Fgemini-3-pro:generateContent`) at the last colon. Model ids can contain slashes and
 * colons, plain or percent-encoded.
 * @param wildcard the path after `/models/`
 * @returns undefined if the verb or the model is missing
 */
export function splitModelPath(wildcard: string): { model: string; verb: string } | undefined {
  const plain = unescapeOnce(wildcard);
  const colon = plain.lastIndexOf(':');
  if (colon === -1) return undefined;
  const model = plain.slice(0, colon).replace(/^(?:models\/)+/, '');
  const verb = plain.slice(colon + 1);
  return model === '' || verb === '' ? undefined : { model, verb };
}

function unescapeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
