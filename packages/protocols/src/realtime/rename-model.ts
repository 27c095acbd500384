/** Replaces the upstream's model name with the requested one, except inside a longer name. */
export function renameModel(text: string, upstreamName: string, requestedName: string): string {
  if (upstreamName === '' || upstreamName === requestedName || !text.includes(upstreamName)) return text;
  const literal = upstreamName.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const alone = new RegExp(String.raw`(?<![\w-]|\w[.:/])${literal}(?![\w-]|[.:/]\w)`, 'g');
  return text.replaceAll(alone, () => requestedName);
}
