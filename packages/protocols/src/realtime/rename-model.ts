/** Replaces the upstream's name of a model with the client's where it is not part of another name. */
export function renameModel(text: string, upstreamName: string, requestedName: string): string {
  if (upstreamName === '' || upstreamName === requestedName || !text.includes(upstreamName)) return text;
  const literal = upstreamName.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const alone = new RegExp(String.raw`(?<![\w-]|\w[.:/])${literal}(?![\w-]|[.:/]\w)`, 'g');
  return text.replaceAll(alone, () => requestedName);
}
