/** Puts our name of a model in the place of the upstream's, where that stands alone and is no part of another name. */
export function renameModel(text: string, theirs: string, ours: string): string {
  if (theirs === '' || theirs === ours || !text.includes(theirs)) return text;
  const literal = theirs.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const alone = new RegExp(String.raw`(?<![\w-]|\w[.:/])${literal}(?![\w-]|[.:/]\w)`, 'g');
  return text.replaceAll(alone, () => ours);
}
