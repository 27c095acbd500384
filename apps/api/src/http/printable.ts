const MAX_LENGTH = 80;

/** What a client sent, shortened and without control characters, to be quoted in a message. */
export function printable(text: string): string {
  return JSON.stringify(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
}
