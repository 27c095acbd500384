const MAX_LENGTH = 80;

export function printable(text: string): string {
  const shown = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return `\`${JSON.stringify(shown).slice(1, -1).replaceAll('\\"', '"')}\``;
}
