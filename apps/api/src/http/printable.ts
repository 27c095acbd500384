const MAX_LENGTH = 80;

/** Quotes client input for a message, shortened and without control characters. */
export function printable(text: string): string {
  const shown = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return `\`${JSON.stringify(shown).slice(1, -1).replaceAll('\\"', '"')}\``;
}
