/**
 * Decodes bytes to one character per byte, so that positions match. Searches for ASCII are exact, because multi-byte
 * UTF-8 sequences contain no ASCII bytes.
 */
export function binaryText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

export function asBinaryText(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  return /^[\x00-\x7f]*$/.test(text);
}
