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

export interface SpeechWriter {
  push(bytes: Uint8Array): string;
  end(usage?: Usage): string;
}

/** Reads events on their way to a client without changing them. */
export interface EventWatcher {
  /** @returns the events that are complete. @throws GatewayError `provider_error` for an event without an end */
  push(bytes: Uint8Array): Uint8Array;
  /** @returns the remaining bytes */
  end(): Uint8Array;
  isBegun: boolean;
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
  openWatcher(): EventWatcher;
}

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
  fileField: string;
  /**
   * @param fields those that have arrived
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
  encodeEvents(transcript: Extract<Transcript, { kind: 'parsed' }>): string;
  openWatcher(): EventWatcher;
}
