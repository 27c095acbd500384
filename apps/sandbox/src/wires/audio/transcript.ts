import type { AudioInfo } from '../../media/audio/audio-reader.ts';

/** A text with its start and end times, in seconds. */
export interface TimedText {
  text: string;
  start: number;
  end: number;
}

export interface Transcript {
  text: string;
  seconds: number;
  /** The sentences of the transcript. Joined, they form `text`. */
  segments: TimedText[];
  /** The words of the transcript. Each includes the space after it. */
  words: TimedText[];
}

/** 128 kbit/s, assumed for files without a duration. */
const DEFAULT_BYTES_PER_SECOND = 16_000;
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

/** Returns the text hidden in the file, or a description of the file if there is none. */
export function transcriptOf({ text, seconds, bytes, mediaType }: AudioInfo): Transcript {
  const duration = seconds ?? bytes / DEFAULT_BYTES_PER_SECOND;
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
