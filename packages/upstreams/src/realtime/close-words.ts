/** Longest reason in a close frame, in bytes: a control frame holds 125, the code takes two (RFC 6455 §5.5). */
const MOST_BYTES = 123;

/** Whether a code may stand in a close frame (RFC 6455 §7.4.1 and its registry). */
export function isSendable(code: number): boolean {
  if (code >= 3000 && code <= 4999) return true;
  return code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006;
}

/** Cuts a reason to what a close frame holds, between characters. */
export function fitReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.byteLength <= MOST_BYTES) return bytes.toString();
  let end = MOST_BYTES;
  // Bytes that begin with 10 go on with a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
