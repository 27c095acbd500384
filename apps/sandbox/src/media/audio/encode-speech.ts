import type { Speech } from './create-speech.ts';
import { flacChunks } from './flac.ts';
import { mp3Chunks } from './mp3.ts';
import { wavHeader } from './wav-header.ts';

/** These formats need no encoder library. */
export type SoundFormat = 'mp3' | 'flac' | 'wav' | 'pcm';

export const SOUND_TYPES: Readonly<Record<SoundFormat, string>> = {
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

export function* encodeSpeech(speech: Speech, format: SoundFormat): Generator<Buffer> {
  switch (format) {
    case 'mp3':
      return yield* mp3Chunks(speech);
    case 'flac':
      return yield* flacChunks(speech);
    case 'wav':
      yield wavHeader(speech.samples);
      return yield* speech.chunks();
    case 'pcm':
      return yield* speech.chunks();
  }
}
