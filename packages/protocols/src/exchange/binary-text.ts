/** One character for each byte: positions match, and a search for ASCII is exact, because UTF-8 sequences have none. */
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
