/** Replaces the upstream's name of a model with the client's where it is not part of another name. */
export function renameModel(text: string, theirs: string, ours: string): string {
  if (theirs === '' || theirs === ours || !text.includes(theirs)) return text;
  const literal = theirs.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const alone = new RegExp(String.raw`(?<![\w-]|\w[.:/])${literal}(?![\w-]|[.:/]\w)`, 'g');
  return text.replaceAll(alone, () => ours);
}
