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
  /** Encodes an error that occurs after the first event was sent. */
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

/** Inspects events during the relay without changing them. */
export interface EventWatcher {
  /** @returns the complete events to relay. @throws GatewayError `provider_error` if an event exceeds the size limit */
  push(bytes: Uint8Array): Uint8Array;
  /** @returns the remaining bytes */
  end(): Uint8Array;
  hasStarted: boolean;
  isFinished: boolean;
  /** The upstream's error, not sanitized. Its event and all later events are withheld. */
  failure?: unknown;
  usage?: Usage;
}

export interface SpeechProtocol extends AudioProtocol {
  /** @throws GatewayError only `invalid_request`, with the field's name */
  decode(body: unknown): SpeechRequest;
  /** Used for upstreams that return raw bytes instead of events. */
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
   * @param fields the fields received up to this point
   * @throws GatewayError only `invalid_request`, with the field's name
   */
  decode(fields: readonly FormField[]): TranscriptionForm;
  /**
   * @param model the requested model
   * @throws GatewayError `unsupported_parameter` if the upstream's response lacks the data for the requested format
   */
  encode(
    transcript: Exclude<Transcript, { kind: 'events' }>,
    fields: TranscriptionFields,
    model: string,
  ): WrittenTranscript;
  encodeEvents(transcript: Extract<Transcript, { kind: 'parsed' }>): string;
  openWatcher(): EventWatcher;
}
