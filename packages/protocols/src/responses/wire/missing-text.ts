/** The rest of a complete text after the part already sent; empty if the texts differ. */
export function missingText(told: string, whole: string): string {
  return whole.length > told.length && whole.startsWith(told) ? whole.slice(told.length) : '';
}
