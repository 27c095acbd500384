/**
 * Takes the end of a path such as `models%2Fgemini-3-pro:generateContent` apart, at the last colon: model ids may hold
 * slashes and colons, plain or escaped, and may be led by `models/`.
 * @param wildcard what follows `/models/` in the path, escaped or not
 * @returns undefined when there is no verb or no model; broken escapes are taken as they are
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
