import type { AudioInfo } from '../../media/audio/audio-reader.ts';

/** A piece of what was said, and when, in seconds. */
export interface TimedText {
  text: string;
  start: number;
  end: number;
}

/** What a file says. */
export interface Transcript {
  text: string;
  seconds: number;
  /** Sentence by sentence; joined, they are the text. */
  segments: TimedText[];
  /** Each with the space after it. */
  words: TimedText[];
}

/** Of a file that does not tell how long it plays: 128 kbit/s. */
const USUAL_BYTES_A_SECOND = 16_000;
const SENTENCE = /[^.!?。！？\n]*[.!?。！？\n]+["”’)]*\s*|[^.!?。！？\n]+$/g;

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** Spreads pieces over the time, each as long as it is in characters. */
function spreadOverTime(chunks: readonly string[], seconds: number): TimedText[] {
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  let before = 0;
  return chunks.map((text) => {
    const start = rounded((before / total) * seconds);
    before += text.length;
    return { text, start, end: rounded((before / total) * seconds) };
  });
}

/** What a file says: what was spoken into it here, or else, honestly, how much of what it is. */
export function transcriptOf({ text, seconds, bytes, mediaType }: AudioInfo): Transcript {
  const duration = seconds ?? bytes / USUAL_BYTES_A_SECOND;
  const amount = seconds === undefined ? `${bytes} bytes` : `${rounded(seconds)} s`;
  const said = text ?? `(${amount} of ${mediaType})`;
  const sentences = text === undefined ? [said] : (said.match(SENTENCE) ?? [said]);
  return {
    text: said,
    seconds: rounded(duration),
    segments: spreadOverTime(sentences, duration),
    words: spreadOverTime(said.match(/\S+\s*/g) ?? [], duration),
  };
}
