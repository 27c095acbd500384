/** What of a whole text has not been told yet; nothing when it is another text than was told. */
export function missingText(told: string, whole: string): string {
  return whole.length > told.length && whole.startsWith(told) ? whole.slice(told.length) : '';
}
