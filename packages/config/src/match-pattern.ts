/**
 * Matches a text against a pattern in which `*` stands for any run of characters, the empty one included.
 * Takes time linear in the text, whatever the pattern.
 * @returns the text that each `*` stood for, as short as can be from left to right; undefined when it does not match
 */
export function matchPattern(pattern: string, text: string): string[] | undefined {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const final = parts.at(-1) ?? '';
  if (parts.length === 1) return pattern === text ? [] : undefined;
  if (!text.startsWith(first) || !text.endsWith(final) || text.length < first.length + final.length) return undefined;
  const end = text.length - final.length;
  const stars: string[] = [];
  let position = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, position);
    if (found === -1 || found + part.length > end) return undefined;
    stars.push(text.slice(position, found));
    position = found + part.length;
  }
  return [...stars, text.slice(position, end)];
}

/** Puts the texts that a pattern's stars stood for in the place of another's, in order; no star, no change. */
export function fillPattern(pattern: string, stars: readonly string[]): string {
  let index = 0;
  return pattern.replaceAll('*', () => {
    const star = stars[index] ?? '*';
    index += 1;
    return star;
  });
}
