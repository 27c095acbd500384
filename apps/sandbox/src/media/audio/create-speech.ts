import { hiddenBytes, hideBit } from './hidden-text.ts';

/** Samples per second. Each sample is 16-bit little-endian mono. */
export const SAMPLE_RATE = 24_000;
export const SAMPLE_BYTES = 2;
export const CHUNK_SAMPLES = 4096;

const SECONDS_A_CHARACTER = 0.04;
const MIN_SECONDS = 0.25;
const LOUDNESS = 8000;

export interface Speech {
  text: string;
  samples: number;
  minBytes: number;
  /** Yields {@link CHUNK_SAMPLES} samples at a time, generated on demand. */
  chunks(): Generator<Buffer>;
}

function pitchOf(word: string): number {
  let sum = 0;
  for (const letter of word) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 240;
  return 160 + sum;
}

/** Returns one pitch per character; 0 is silence. */
function pitchesOf(text: string): number[] {
  const at: number[] = [];
  for (const part of text.split(/(\s+)/)) {
    const pitch = part.trim() === '' ? 0 : pitchOf(part);
    for (let index = 0; index < part.length; index += 1) at.push(pitch);
  }
  return at;
}

/**
 * Generates one tone per word. The lowest bits of the samples encode the text.
 * @param minBytes minimum size; shorter speech is padded with a hum.
 */
export function createSpeech(text: string, speed = 1, minBytes = 0): Speech {
  const tones = pitchesOf(text);
  const hidden = hiddenBytes(text);
  const natural = Math.max(MIN_SECONDS, (tones.length * SECONDS_A_CHARACTER) / speed) * SAMPLE_RATE;
  // The text needs at least one sample per hidden bit.
  const spoken = Math.max(Math.ceil(natural), hidden.length * 8);
  const samples = Math.max(spoken, Math.ceil(minBytes / SAMPLE_BYTES));

  function render(from: number, count: number): Buffer {
    const chunk = Buffer.alloc(count * SAMPLE_BYTES);
    for (let at = 0; at < count; at += 1) {
      const index = from + at;
      const pitch = tones[Math.floor((index / spoken) * tones.length)] ?? 0;
      const sample = Math.round(Math.sin((2 * Math.PI * pitch * index) / SAMPLE_RATE) * LOUDNESS);
      chunk.writeInt16LE(hideBit(sample, hidden, index), at * SAMPLE_BYTES);
    }
    return chunk;
  }
  return {
    text,
    samples,
    minBytes,
    *chunks() {
      let silentChunk: Buffer | undefined;
      for (let from = 0; from < samples; from += CHUNK_SAMPLES) {
        const count = Math.min(CHUNK_SAMPLES, samples - from);
        if (from < spoken || count < CHUNK_SAMPLES) yield render(from, count);
        else yield (silentChunk ??= render(from, count));
      }
    },
  };
}
