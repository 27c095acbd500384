/**
 * Encodes a text as one path segment, as AWS's SDK does (`extendedEncodeURIComponent`), because signatures depend on it.
 */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
