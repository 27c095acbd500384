import type { Speech } from './create-speech.ts';
import { flacPieces } from './flac.ts';
import { mp3Pieces } from './mp3.ts';
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
      return yield* mp3Pieces(speech);
    case 'flac':
      return yield* flacPieces(speech);
    case 'wav':
      yield wavHeader(speech.samples);
      return yield* speech.pieces();
    case 'pcm':
      return yield* speech.pieces();
  }
}
