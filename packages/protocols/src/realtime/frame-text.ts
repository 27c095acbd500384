/** The same bytes as a `Buffer`, for its search methods. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Parses a frame, with or without a byte order mark; `undefined` for anything but JSON. */
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
/** Bytes that may precede an object: white space and a byte order mark. */
const BEFORE = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);

export function looksLikeObject(data: Uint8Array): boolean {
  return data.find((byte) => !BEFORE.has(byte)) === BRACE;
}
