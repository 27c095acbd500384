import type {
  GatewayError,
  SpeechParams,
  Transcript,
  TranscriptionFields,
  TranscriptionParams,
  Usage,
} from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';
import type { FormField } from '../forms/expand-brackets.ts';

interface AudioProtocol {
  name: string;
  encodeError: EncodeError;
  /** Encodes an error that follows the first event. */
  encodeErrorEvent(this: void, error: GatewayError): string;
  errorSchema: z.ZodType;
}

export interface SpeechRequest {
  model: string;
  params: SpeechParams;
}

/** Encodes speech as events. */
export interface SpeechWriter {
  push(bytes: Uint8Array): string;
  /** Returns the end of the stream. */
  end(usage?: Usage): string;
}

/** Reads events on their way to a client without changing them. */
export interface EventWatcher {
  /** @returns the events that are complete. @throws GatewayError `provider_error` for an event without an end */
  push(bytes: Uint8Array): Uint8Array;
  /** Called after the last chunk. @returns the remaining bytes */
  end(): Uint8Array;
  /** Whether any event has arrived. */
  isBegun: boolean;
  /** Whether the final event has arrived. */
  isFinished: boolean;
  /** The upstream's error, unsanitized. Its event and all later ones are withheld. */
  failure?: unknown;
  usage?: Usage;
}

export interface SpeechProtocol extends AudioProtocol {
  /** @throws GatewayError `invalid_request` naming the field, and nothing else */
  decode(body: unknown): SpeechRequest;
  /** For upstreams that return bytes. */
  openWriter(): SpeechWriter;
  /** For upstreams that return events. */
  openWatcher(): EventWatcher;
}

/** The fields of a form that have arrived. */
export interface TranscriptionForm {
  model?: string;
  fields: TranscriptionFields;
}

export interface WrittenTranscript {
  mediaType: string;
  body: string | Uint8Array;
}

export interface TranscriptionProtocol extends AudioProtocol {
  task: TranscriptionParams['task'];
  /** The name of the file field. */
  fileField: string;
  /**
   * Decodes the fields of a form that have arrived.
   * @throws GatewayError `invalid_request` naming the field, and nothing else
   */
  decode(fields: readonly FormField[]): TranscriptionForm;
  /**
   * @param model the model id of the request
   * @throws GatewayError `unsupported_parameter` for a format that the upstream's response cannot provide
   */
  encode(
    transcript: Exclude<Transcript, { kind: 'events' }>,
    fields: TranscriptionFields,
    model: string,
  ): WrittenTranscript;
  /** Encodes a complete transcript as a stream of events. */
  encodeEvents(transcript: Extract<Transcript, { kind: 'spoken' }>): string;
  /** For upstreams that return events. */
  openWatcher(): EventWatcher;
}
