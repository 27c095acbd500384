import type { ForeignFields } from './foreign-fields.ts';
import type { Usage } from '../text/generation.ts';
import type { EventsResponse } from './events-response.ts';
import type { ResponseBody } from '../text/text-capability.ts';

/** What speech may be packed as. */
export const SPEECH_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;

/** One of {@link SPEECH_FORMATS}; `pcm` is bare samples: 24 kHz, 16 bits, little end first, one channel. */
export type SpeechFormat = (typeof SPEECH_FORMATS)[number];

/** The media type of each format. */
export const SPEECH_TYPES: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

/** A text to be spoken. */
export interface SpeechParams {
  input: string;
  /** A voice by its name, or one of the client's own by its id. */
  voice: string | { id: string };
  /** How it is to be spoken. */
  instructions?: string;
  /** Absent: mp3. */
  format?: SpeechFormat;
  /** 1 is the voice's own pace. */
  speed?: number;
  /** Whether the client wants events in OpenAI's words rather than bytes. */
  asEvents: boolean;
  foreign: ForeignFields;
}

/** Spoken text on its way; its first piece is there. */
export type Speech =
  | { kind: 'audio'; mediaType: string; body: ResponseBody; /** Where it is known beforehand. */ usage?: Usage }
  /** Server-sent events in OpenAI's words: `speech.audio.delta` and at the end `speech.audio.done`. */
  | EventsResponse;
