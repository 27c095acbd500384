import { scanJson } from '../json/scan-json.ts';

export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The frame may have a byte order mark. @returns undefined if it is not JSON, or exceeds the bounds of {@link scanJson} */
export function jsonOf(data: Uint8Array): unknown {
  try {
    scanJson(data);
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
/** White space and a byte order mark. */
const BEFORE = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);

export function looksLikeObject(data: Uint8Array): boolean {
  return data.find((byte) => !BEFORE.has(byte)) === BRACE;
}
