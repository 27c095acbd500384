export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/bmp' | 'image/gif';

export interface ImageFacts {
  mediaType: ImageType;
  width: number;
  height: number;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function measurePng(bytes: Buffer): ImageFacts | undefined {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return undefined;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Frame markers are C0 to CF, except the reserved marker and the markers for tables. */
function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function measureJpeg(bytes: Buffer): ImageFacts | undefined {
  if (bytes.length <= 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    if (isFrameMarker(marker)) {
      return { mediaType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** WebP container (RFC 9649): lossy, lossless, or extended. */
function measureWebp(bytes: Buffer): ImageFacts | undefined {
  const tag = (at: number): string => bytes.toString('latin1', at, at + 4);
  if (bytes.length < 30 || tag(0) !== 'RIFF' || tag(8) !== 'WEBP') return undefined;
  const mediaType = 'image/webp';
  switch (tag(12)) {
    case 'VP8 ':
      return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { mediaType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

function measureBmp(bytes: Buffer): ImageFacts | undefined {
  if (bytes.length < 26 || bytes.toString('latin1', 0, 2) !== 'BM') return undefined;
  // A negative height means that the rows start at the top.
  return { mediaType: 'image/bmp', width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) };
}

function measureGif(bytes: Buffer): ImageFacts | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined;
  return { mediaType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/**
 * Reads the type and size of an image from its first bytes.
 * @param accepts accepted types; PNG and JPEG by default.
 */
export function measureImage(bytes: Buffer, accepts: readonly ImageType[] = ['image/png', 'image/jpeg']) {
  const readers = [measurePng, measureJpeg, measureWebp, measureBmp, measureGif];
  const facts = readers.reduce<ImageFacts | undefined>((known, read) => known ?? read(bytes), undefined);
  if (facts === undefined || !accepts.includes(facts.mediaType)) return undefined;
  return facts.width > 0 && facts.height > 0 ? facts : undefined;
}
