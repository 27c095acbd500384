/** The same bytes, with a `Buffer`'s ways to search. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A frame's value; `undefined` when it is no JSON. */
export function jsonOf(data: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(bufferOf(data).toString());
    return value;
  } catch {
    return undefined;
  }
}
