/**
 * Decodes bytes to one character each, so that positions match, the text may be cut anywhere, and a search for ASCII is
 * exact: no byte of a UTF-8 sequence is ASCII.
 */
export function binaryText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Encodes a text as UTF-8 with one character for each byte. */
export function asBinaryText(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the whole range is meant
  return /^[\x00-\x7f]*$/.test(text);
}
