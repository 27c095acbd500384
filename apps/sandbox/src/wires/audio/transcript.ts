import type { AudioInfo } from '../../media/audio/audio-reader.ts';

/** Times in seconds. */
export interface TimedText {
  text: string;
  start: number;
  end: number;
}

export interface Transcript {
  text: string;
  seconds: number;
  /** Sentences; joined, they are the text. */
  segments: TimedText[];
  /** Each with the space after it. */
  words: TimedText[];
}

/** 128 kbit/s, for files without a duration. */
const USUAL_BYTES_A_SECOND = 16_000;
const SENTENCE = /[^.!?。！？\n]*[.!?。！？\n]+["”’)]*\s*|[^.!?。！？\n]+$/g;

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function spreadOverTime(chunks: readonly string[], seconds: number): TimedText[] {
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  let before = 0;
  return chunks.map((text) => {
    const start = rounded((before / total) * seconds);
    before += text.length;
    return { text, start, end: rounded((before / total) * seconds) };
  });
}

/** The text hidden in the file, or else a description of the file. */
export function transcriptOf({ text, seconds, bytes, mediaType }: AudioInfo): Transcript {
  const duration = seconds ?? bytes / USUAL_BYTES_A_SECOND;
  const amount = seconds === undefined ? `${bytes} bytes` : `${rounded(seconds)} s`;
  const transcript = text ?? `(${amount} of ${mediaType})`;
  const sentences = text === undefined ? [transcript] : (transcript.match(SENTENCE) ?? [transcript]);
  return {
    text: transcript,
    seconds: rounded(duration),
    segments: spreadOverTime(sentences, duration),
    words: spreadOverTime(transcript.match(/\S+\s*/g) ?? [], duration),
  };
}
