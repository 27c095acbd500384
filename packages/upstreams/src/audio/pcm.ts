/** Gemini and OpenAI send 16-bit little-endian mono samples. */
const BYTES_A_SAMPLE = 2;

export function wavHeader(bytes: number, rate: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // Format 1 is PCM.
  header.writeUInt16LE(1, 22); // One channel.
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * BYTES_A_SAMPLE, 28);
  header.writeUInt16LE(BYTES_A_SAMPLE, 32);
  header.writeUInt16LE(8 * BYTES_A_SAMPLE, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes, 40);
  return header;
}

/** Parses a media type's sample rate (e.g. `audio/L16;codec=pcm;rate=24000`). Returns undefined for other types. */
export function pcmRate(mediaType: string): number | undefined {
  if (!/^audio\/(?:l16|pcm|x-pcm)\b/i.test(mediaType)) return undefined;
  const rate = Number(/;\s*rate=(\d{4,6})/i.exec(mediaType)?.[1] ?? 24_000);
  return rate;
}
