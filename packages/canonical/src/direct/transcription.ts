import type { EventsResponse } from './events-response.ts';
import type { TranscriptFormat } from '../transcript-format.ts';
import type { Usage } from '../text/generation.ts';

/** The form fields beside the audio. */
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
  /** Form fields by their original names, in order. A name may occur more than once. */
  riding: readonly (readonly [name: string, value: string])[];
}

export interface AudioUpload {
  filename: string;
  /** As declared by the client; often `application/octet-stream`. */
  mediaType: string;
  /** Length, if known before the upload ends. */
  bytes?: number;
  /** Streams the audio. Audio that was not stored can be read once. @throws GatewayError for an invalid form */
  open(): AsyncIterable<Uint8Array>;
}

/** Audio to transcribe, or to translate into English. */
export interface TranscriptionParams {
  task: 'transcribe' | 'translate';
  audio: AudioUpload;
  /** Fields that arrived before the audio. */
  known: TranscriptionFields;
  /** Whether no field follows the audio, so that `known` is complete. */
  isComplete: boolean;
  /** All fields, after the audio was read to its end. @throws GatewayError for an invalid field */
  all(this: void): Promise<TranscriptionFields>;
}

/** Times in seconds. */
export interface TranscriptSegment {
  start: number;
  end: number;
  text: string;
}

export type Transcript =
  /** The requested text format, byte for byte as the upstream wrote it. */
  | { kind: 'written'; bytes: Uint8Array; usage?: Usage }
  /** Text that the client's protocol encodes. */
  | {
      kind: 'spoken';
      text: string;
      segments?: readonly TranscriptSegment[];
      usage?: Usage;
      /** All fields of the upstream's JSON, if JSON was requested. */
      told?: Readonly<Record<string, unknown>>;
    }
  /** OpenAI's events: `transcript.text.delta`, and `transcript.text.done` at the end. */
  | EventsResponse;
