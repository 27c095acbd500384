import type { ForeignFields } from './foreign-fields.ts';
import type { Usage } from '../text/generation.ts';
import type { EventsResponse } from './events-response.ts';
import type { ResponseBody } from '../exchange/response-body.ts';

export const SPEECH_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;

/** `pcm` is raw samples: 24 kHz, 16-bit, little-endian, mono. */
export type SpeechFormat = (typeof SPEECH_FORMATS)[number];

export const SPEECH_TYPES: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

export interface SpeechParams {
  input: string;
  voice: string | { id: string };
  instructions?: string;
  /** If omitted, the format is mp3. */
  format?: SpeechFormat;
  speed?: number;
  asEvents: boolean;
  foreign: ForeignFields;
}

export type Speech =
  | {
      kind: 'audio';
      mediaType: string;
      body: ResponseBody;
      /** Set if the length is known in advance. */ usage?: Usage;
    }
  /** Streamed as OpenAI's events: `speech.audio.delta`, and `speech.audio.done` at the end. */
  | EventsResponse;
