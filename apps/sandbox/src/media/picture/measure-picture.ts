/** What the bytes of a picture say of it. */
export interface PictureFacts {
  mediaType: 'image/png' | 'image/jpeg';
  /** Pixels. */
  width: number;
  height: number;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function measurePng(bytes: Buffer): PictureFacts | undefined {
  if (bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Tells whether a JPEG marker begins a frame: C0 to CF, without the tables and the reserved one among them. */
function beginsFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function measureJpeg(bytes: Buffer): PictureFacts | undefined {
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    if (beginsFrame(marker)) {
      return { mediaType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Reads kind and size from the head of a PNG or JPEG; undefined for everything else. */
export function measurePicture(bytes: Buffer): PictureFacts | undefined {
  const facts = bytes.subarray(0, 8).equals(PNG_SIGNATURE)
    ? measurePng(bytes)
    : bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8
      ? measureJpeg(bytes)
      : undefined;
  return facts !== undefined && facts.width > 0 && facts.height > 0 ? facts : undefined;
}
