/** Returns the rest of a complete text after the part already sent. Returns an empty string if the texts differ. */
export function missingText(sent: string, fullText: string): string {
  return fullText.length > sent.length && fullText.startsWith(sent) ? fullText.slice(sent.length) : '';
}
