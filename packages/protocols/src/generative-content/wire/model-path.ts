/**
 * Splits a path such as `models%2Fgemini-3-pro:generateContent` at the last colon. Model ids may contain slashes and
 * colons, plain or escaped.
 * @param wildcard the path after `/models/`
 * @returns undefined without a verb or a model
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
