/** What hidden bytes begin with. */
const MAGIC = Buffer.from('sbx1');
/** The magic and the length. */
const HEAD = MAGIC.length + 4;
const BITS = 8;
const SAMPLE_BYTES = 2;

/** The bytes that stand for a text: a magic, its length, and itself in UTF-8. */
export function hiddenBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([MAGIC, length, bytes]);
}

/** The 16-bit sample at an index, its lowest bit taken by the hidden bytes as far as they reach; nobody hears it. */
export function hideBit(sample: number, hidden: Buffer, index: number): number {
  const byte = hidden[Math.floor(index / BITS)];
  return byte === undefined ? sample : (sample & ~1) | ((byte >> (index % BITS)) & 1);
}

/** As many bytes as were asked for out of the lowest bits; fewer when the sound ends before. */
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

/** The text that 16-bit little-endian samples carry from their first on; undefined when they carry none, or not all. */
export function hiddenText(pcm: Buffer): string | undefined {
  const head = readBytes(pcm, 0, HEAD);
  if (head.length < HEAD || !head.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const length = head.readUInt32LE(MAGIC.length);
  const bytes = readBytes(pcm, HEAD, length);
  return bytes.length < length ? undefined : bytes.toString();
}
