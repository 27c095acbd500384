import { hiddenBytes, hideBit } from './hidden-text.ts';

/** Samples in a second; they are 16-bit little-endian, of one channel. */
export const SAMPLE_RATE = 24_000;
/** Bytes of a sample. */
export const SAMPLE_BYTES = 2;
/** Samples that are made at a time. */
export const PIECE_SAMPLES = 4096;

const SECONDS_A_CHARACTER = 0.04;
const LEAST_SECONDS = 0.25;
const LOUDNESS = 8000;

/** A text spoken. */
export interface Speech {
  text: string;
  /** How many samples it takes. */
  samples: number;
  /** How many bytes the sound shall have at least, whatever the text is. */
  leastBytes: number;
  /** The samples, {@link PIECE_SAMPLES} at a time, made as they are asked for. */
  pieces(): Generator<Buffer>;
}

/** Each word has a pitch of its own. */
function pitchOf(word: string): number {
  let sum = 0;
  for (const letter of word) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 240;
  return 160 + sum;
}

/** The pitch at each character, 0 for the silence between words. */
function pitches(text: string): number[] {
  const at: number[] = [];
  for (const part of text.split(/(\s+)/)) {
    const pitch = part.trim() === '' ? 0 : pitchOf(part);
    for (let index = 0; index < part.length; index += 1) at.push(pitch);
  }
  return at;
}

/**
 * Speaks a text: a tone for each word. The samples carry the text, from the first on, so that it can be heard again.
 * @param speed 1: as usual.
 * @param leastBytes goes on humming until the samples have as many bytes.
 */
export function createSpeech(text: string, speed = 1, leastBytes = 0): Speech {
  const tones = pitches(text);
  const hidden = hiddenBytes(text);
  const natural = Math.max(LEAST_SECONDS, (tones.length * SECONDS_A_CHARACTER) / speed) * SAMPLE_RATE;
  // What is hidden wants a sample for each bit.
  const spoken = Math.max(Math.ceil(natural), hidden.length * 8);
  const samples = Math.max(spoken, Math.ceil(leastBytes / SAMPLE_BYTES));

  function make(from: number, count: number): Buffer {
    const piece = Buffer.alloc(count * SAMPLE_BYTES);
    for (let at = 0; at < count; at += 1) {
      const index = from + at;
      const pitch = tones[Math.floor((index / spoken) * tones.length)] ?? 0;
      const sample = Math.round(Math.sin((2 * Math.PI * pitch * index) / SAMPLE_RATE) * LOUDNESS);
      piece.writeInt16LE(hideBit(sample, hidden, index), at * SAMPLE_BYTES);
    }
    return piece;
  }
  return {
    text,
    samples,
    leastBytes,
    *pieces() {
      let hum: Buffer | undefined;
      for (let from = 0; from < samples; from += PIECE_SAMPLES) {
        const count = Math.min(PIECE_SAMPLES, samples - from);
        if (from < spoken || count < PIECE_SAMPLES) yield make(from, count);
        else yield (hum ??= make(from, count));
      }
    },
  };
}
