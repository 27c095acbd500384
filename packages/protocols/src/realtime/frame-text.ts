/** The same bytes, with a `Buffer`'s ways to search. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A frame's value, with or without a byte order mark before it; `undefined` when it is no JSON. */
export function jsonOf(data: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(
      bufferOf(data)
        .toString()
        .replace(/^\uFEFF/, ''),
    );
    return value;
  } catch {
    return undefined;
  }
}

const BRACE = 0x7b;
/** What may stand before an object: blanks, and the bytes of a mark. */
const BEFORE = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);

/** Whether bytes begin as a JSON object does. */
export function looksLikeObject(data: Uint8Array): boolean {
  return data.find((byte) => !BEFORE.has(byte)) === BRACE;
}
