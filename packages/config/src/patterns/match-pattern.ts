/**
 * Matches text in linear time against a pattern in which `*` matches zero or more characters.
 * @returns the text that each `*` matches, as short as possible from left to right; undefined if there is no match
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
    const start = text.indexOf(part, position);
    if (start === -1 || start + part.length > end) return undefined;
    stars.push(text.slice(position, start));
    position = start + part.length;
  }
  return [...stars, text.slice(position, end)];
}

/** Replaces the stars of a pattern with the given texts, in order. */
export function fillPattern(pattern: string, stars: readonly string[]): string {
  let index = 0;
  return pattern.replaceAll('*', () => {
    const star = stars[index] ?? '*';
    index += 1;
    return star;
  });
}
