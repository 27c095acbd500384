/**
 * Maximum length of a close frame's reason, in bytes. A control frame has at most 125 bytes, and the code uses two of
 * them (RFC 6455 §5.5).
 */
const MAX_BYTES = 123;

const NORMAL = 1000;
const NO_CODE = 1005;
const INTERNAL = 1011;

/**
 * Returns the code to forward when a socket closes (RFC 6455 §7.4.1 and its registry). A missing code becomes a normal
 * close. A code that a close frame must not contain (e.g. for a broken connection) becomes an internal error.
 */
export function sendableCode(code: number): number {
  if (code === NO_CODE) return NORMAL;
  const isReserved = code === 1004 || code === 1006;
  const isKnown = (code >= 1000 && code <= 1014 && !isReserved) || (code >= 3000 && code <= 4999);
  return isKnown ? code : INTERNAL;
}

export function fitReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.byteLength <= MAX_BYTES) return bytes.toString();
  let end = MAX_BYTES;
  // A byte that starts with the bits 10 continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
