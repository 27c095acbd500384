import type { Speech } from './create-speech.ts';
import { flacChunks } from './flac.ts';
import { mp3Chunks } from './mp3.ts';
import { wavHeader } from './wav-header.ts';

/** The formats that can be made here without an encoder. */
export type SoundFormat = 'mp3' | 'flac' | 'wav' | 'pcm';

/** The media types of {@link SoundFormat}. */
export const SOUND_TYPES: Readonly<Record<SoundFormat, string>> = {
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

/** A speech in a format, in pieces that are made as they are asked for; it carries its text in all of them. */
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
