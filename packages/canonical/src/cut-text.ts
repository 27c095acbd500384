/** The first `longest` UTF-16 units of a text. Never splits a surrogate pair. */
export function cutText(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
}
