/**
 * Bytes as a text with one character for each: positions in it are positions in the bytes, it may be cut anywhere, and
 * looking for ASCII in it is exact, since no byte of a UTF-8 sequence is ASCII.
 */
export function binaryText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** A text of real characters, as UTF-8 with one character for each byte. */
export function asBinaryText(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Whether a text has characters of one byte in UTF-8 alone. */
export function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the whole range is meant
  return /^[\x00-\x7f]*$/.test(text);
}
