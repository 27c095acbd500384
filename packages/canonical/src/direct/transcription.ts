import type { EventsResponse } from './events-response.ts';
import type { Usage } from '../text/generation.ts';

/** How a transcript may be written. */
export const TRANSCRIPT_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;

/** One of {@link TRANSCRIPT_FORMATS}. */
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** What a client says about its audio. */
export interface TranscriptionFields {
  language?: string;
  prompt?: string;
  temperature?: number;
  /** Absent: json. */
  format?: TranscriptFormat;
  /** `word` and `segment`. */
  granularities?: readonly string[];
  /** Whether the client wants events. */
  stream: boolean;
  /** Fields of the form by their names as they came, in order; a name may come more than once. */
  riding: readonly (readonly [name: string, value: string])[];
}

/** Audio on its way from a client. */
export interface AudioUpload {
  filename: string;
  /** As the client told it; often `application/octet-stream`. */
  mediaType: string;
  /** Length, where it is known before the last byte is there. */
  bytes?: number;
  /** Reads it. Audio that was not kept can be read once. @throws GatewayError for a form that is wrong */
  open(): AsyncIterable<Uint8Array>;
}

/** Audio to be written down, in its language or in English. */
export interface TranscriptionParams {
  task: 'transcribe' | 'translate';
  audio: AudioUpload;
  /** What is known before the audio is read. */
  known: TranscriptionFields;
  /** Whether nothing follows the audio: `known` is all. */
  isComplete: boolean;
  /** All fields, once the audio is read to its end. @throws GatewayError for a field that is wrong */
  all(this: void): Promise<TranscriptionFields>;
}

/** A stretch of a transcript; times in seconds. */
export interface TranscriptSegment {
  start: number;
  end: number;
  text: string;
}

/** Written-down audio. */
export type Transcript =
  /** In the format of text that was wished for, byte by byte as the upstream wrote it. */
  | { kind: 'written'; bytes: Uint8Array; usage?: Usage }
  /** To be written by the client's protocol. */
  | {
      kind: 'spoken';
      text: string;
      segments?: readonly TranscriptSegment[];
      usage?: Usage;
      /** All that the upstream told, where it wrote the JSON that was wished for. */
      told?: Readonly<Record<string, unknown>>;
    }
  /** Server-sent events in OpenAI's words: `transcript.text.delta` and at the end `transcript.text.done`. */
  | EventsResponse;
