/** Longer texts without spaces, such as images in base64, are shortened where a request is shown. */
const MAX_SHOWN = 600;

/** Shortens long texts in a value. */
export function shorten(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length <= MAX_SHOWN || value.slice(0, MAX_SHOWN).includes(' ')
      ? value
      : `${value.slice(0, 60)}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shorten(one)]));
}

/** Formats JSON text. Other text is returned unchanged. */
export function formatBody(text: string): string {
  try {
    return JSON.stringify(shorten(JSON.parse(text)), undefined, 2);
  } catch {
    return text;
  }
}
