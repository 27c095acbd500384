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

/** What all protocols of sound have. */
interface AudioProtocol {
  name: string;
  encodeError: EncodeError;
  /** Spells an error that comes after the first event. */
  encodeErrorEvent(this: void, error: GatewayError): string;
  errorSchema: z.ZodType;
}

/** A request to speak a text. */
export interface SpeechRequest {
  model: string;
  params: SpeechParams;
}

/** Spells the bytes of speech as events. */
export interface SpeechWriter {
  push(bytes: Uint8Array): string;
  /** What ends the stream. */
  end(usage?: Usage): string;
}

/** Reads events on their way to a client, without changing them. */
export interface EventWatcher {
  /** @returns what goes on: the events that are whole now. @throws GatewayError `provider_error` for one without an end */
  push(bytes: Uint8Array): Uint8Array;
  /** Called after the last piece. @returns what is left */
  end(): Uint8Array;
  /** Whether there was an event yet, of whatever kind. */
  isBegun: boolean;
  /** Whether the event that ends the stream has come. */
  isFinished: boolean;
  /** What the upstream tells of an error, unsanitised. Neither its event nor any after it goes on. */
  failure?: unknown;
  usage?: Usage;
}

/** How clients ask for speech. */
export interface SpeechProtocol extends AudioProtocol {
  /** @throws GatewayError `invalid_request` naming the field, and nothing else */
  decode(body: unknown): SpeechRequest;
  /** For an upstream that gives bytes alone. */
  openWriter(): SpeechWriter;
  /** For one that gives events itself. */
  openWatcher(): EventWatcher;
}

/** The fields of a form, as far as they have come. */
export interface TranscriptionForm {
  model?: string;
  fields: TranscriptionFields;
}

/** A body and its type. */
export interface WrittenTranscript {
  mediaType: string;
  body: string | Uint8Array;
}

/** How clients ask for transcripts. */
export interface TranscriptionProtocol extends AudioProtocol {
  task: TranscriptionParams['task'];
  /** The field that carries the audio. */
  fileField: string;
  /**
   * Reads the fields of a form, or those that have come so far.
   * @throws GatewayError `invalid_request` naming the field, and nothing else
   */
  decode(fields: readonly FormField[]): TranscriptionForm;
  /**
   * @param model the model that was asked for
   * @throws GatewayError `unsupported_parameter` for a format that cannot be made of what the upstream gave
   */
  encode(
    transcript: Exclude<Transcript, { kind: 'events' }>,
    fields: TranscriptionFields,
    model: string,
  ): WrittenTranscript;
  /** A whole transcript as a stream of events. */
  encodeEvents(transcript: Extract<Transcript, { kind: 'spoken' }>): string;
  /** For an upstream that gives events itself. */
  openWatcher(): EventWatcher;
}
