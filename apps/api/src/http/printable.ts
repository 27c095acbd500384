const LONGEST = 80;

/** What a client sent, shortened and without control characters, to be quoted in a message. */
export function printable(text: string): string {
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
