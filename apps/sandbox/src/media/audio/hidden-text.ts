const MAGIC = Buffer.from('sbx1');
const HEAD = MAGIC.length + 4;
const BITS = 8;
const SAMPLE_BYTES = 2;

/** Returns a magic number, the length, and the text in UTF-8. */
export function hiddenBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([MAGIC, length, bytes]);
}

/** Replaces the sample's lowest bit with the next hidden bit, if any. */
export function hideBit(sample: number, hidden: Buffer, index: number): number {
  const byte = hidden[Math.floor(index / BITS)];
  return byte === undefined ? sample : (sample & ~1) | ((byte >> (index % BITS)) & 1);
}

function readBytes(pcm: Buffer, from: number, count: number): Buffer {
  const min = Math.max(0, Math.min(count, Math.floor(pcm.length / SAMPLE_BYTES / BITS) - from));
  const bytes = Buffer.alloc(min);
  for (let at = 0; at < min; at += 1) {
    let byte = 0;
    for (let bit = 0; bit < BITS; bit += 1) {
      byte |= ((pcm[((from + at) * BITS + bit) * SAMPLE_BYTES] ?? 0) & 1) << bit;
    }
    bytes[at] = byte;
  }
  return bytes;
}

/** Returns undefined if the samples contain no text or only part of it. */
export function hiddenText(pcm: Buffer): string | undefined {
  const head = readBytes(pcm, 0, HEAD);
  if (head.length < HEAD || !head.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const length = head.readUInt32LE(MAGIC.length);
  const bytes = readBytes(pcm, HEAD, length);
  return bytes.length < length ? undefined : bytes.toString();
}
