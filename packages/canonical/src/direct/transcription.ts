import type { EventsResponse } from './events-response.ts';
import type { TranscriptFormat } from '../exchange/transcript-format.ts';
import type { Usage } from '../text/generation.ts';

export interface TranscriptionFields {
  language?: string;
  prompt?: string;
  temperature?: number;
  format?: TranscriptFormat;
  granularities?: readonly string[];
  stream: boolean;
  /** Fields unknown to the gateway, in order. A name may occur more than once. */
  others: readonly (readonly [name: string, value: string])[];
}

export interface AudioUpload {
  filename: string;
  /** The type that the client declared; often `application/octet-stream`. */
  mediaType: string;
  bytes?: number;
  /** Streams the audio. Audio that was not stored can be read only once. @throws GatewayError for an invalid form */
  open(): AsyncIterable<Uint8Array>;
}

export interface TranscriptionParams {
  task: 'transcribe' | 'translate';
  audio: AudioUpload;
  known: TranscriptionFields;
  /** Whether `known` already contains all fields. */
  isComplete: boolean;
  /** Resolves with all fields after the audio has been read to its end. @throws GatewayError for an invalid field */
  all(this: void): Promise<TranscriptionFields>;
}

/** Start and end times are in seconds. */
export interface TranscriptSegment {
  start: number;
  end: number;
  text: string;
}

export type Transcript =
  /** The transcript in the requested text format, byte for byte as the upstream sent it. */
  | { kind: 'formatted'; bytes: Uint8Array; usage?: Usage }
  | {
      kind: 'parsed';
      text: string;
      segments?: readonly TranscriptSegment[];
      usage?: Usage;
      /** The upstream's JSON, if JSON was requested. */
      json?: Readonly<Record<string, unknown>>;
    }
  /** Streamed as OpenAI's events: `transcript.text.delta`, and `transcript.text.done` at the end. */
  | EventsResponse;
