import { SAMPLE_BYTES, SAMPLE_RATE } from './create-speech.ts';
import { hiddenText } from './hidden-text.ts';

/** Returns the hidden text, or a description of the duration if there is none. */
export function readSamples(pcm: Buffer, bytes = pcm.length): { text: string; seconds: number } {
  const seconds = bytes / SAMPLE_BYTES / SAMPLE_RATE;
  return { seconds, text: hiddenText(pcm) ?? `(${Math.round(seconds * 1000) / 1000} s of audio/pcm)` };
}
