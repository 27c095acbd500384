/** The beginning of a text, of at most so many UTF-16 units, and not through the middle of a character that takes two. */
export function cutText(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
}
