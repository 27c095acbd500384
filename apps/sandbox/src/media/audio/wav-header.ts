import { SAMPLE_BYTES, SAMPLE_RATE } from './create-speech.ts';

const HEADER_BYTES = 44;
const MAX = 2 ** 32 - 1;

export function wavHeader(samples: number): Buffer {
  const bytes = samples * SAMPLE_BYTES;
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  // Lengths above the format's limit are written as the maximum, as in streamed files.
  header.writeUInt32LE(Math.min(MAX, bytes + HEADER_BYTES - 8), 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // Format 1 is PCM.
  header.writeUInt16LE(1, 22); // One channel.
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * SAMPLE_BYTES, 28);
  header.writeUInt16LE(SAMPLE_BYTES, 32);
  header.writeUInt16LE(SAMPLE_BYTES * 8, 34);
  header.write('data', 36);
  header.writeUInt32LE(Math.min(MAX, bytes), 40);
  return header;
}
