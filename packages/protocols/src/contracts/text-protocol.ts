import type {
  Generation,
  GatewayError,
  GenerationRequest,
  LossReport,
  StreamEvent,
  TextProtocolName,
  TextTarget,
  Usage,
} from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';
import type { TokenCodec } from '../text/token-codec.ts';
import type { SseFrame } from '../stream/sse.ts';

/** A client's request as it is decoded. */
export interface DecodeInput {
  /** The body as parsed from JSON; its top level has passed {@link TextProtocol.topLevel}. */
  body: Record<string, unknown>;
  /** From the body or the path. */
  model: string;
  stream: boolean;
  tokenCodec: TokenCodec;
  /** Told of fields that the canonical model has no place for. */
  report: LossReport;
}

/** What an encoder knows when it answers a client. */
export interface ResponseContext {
  /** The request that is answered. */
  request: GenerationRequest;
  /** Its body as the client sent it, for protocols that repeat it in the answer. */
  body: Record<string, unknown>;
  /** The id of the answer, where the gateway owns it (responses). Absent: the upstream's, or a new one. */
  responseId?: string;
  /** When the request came, Unix seconds. */
  createdAt: number;
  /** The clock, Unix seconds, for protocols that tell when an answer was completed. Absent: they leave it open. */
  now?: () => number;
  /** Makes an unguessable id: prefix and 32 hex digits. */
  newId: (prefix: string) => string;
  tokenCodec: TokenCodec;
  /** How a stream is framed: `json-array` is Gemini's without `alt=sse`. Default `sse`. */
  framing?: 'sse' | 'json-array';
}

/** What a decoder knows when it reads an upstream's answer. */
export interface UpstreamResponseContext {
  /** Whose answer it is; seals are marked with it. */
  target: TextTarget;
  newId: (prefix: string) => string;
}

/**
 * Reads an upstream's stream: frames in, events out in the order that {@link StreamEvent} promises. Never throws: what
 * cannot be understood becomes an `error` event, after which it yields nothing more.
 */
export interface StreamDecoder {
  push(frame: SseFrame): StreamEvent[];
  /** The upstream's stream is over; a stream without a finish yields `error` here. */
  end(): StreamEvent[];
}

/** Writes a stream to a client: events in, wire text out. One event may give none or several frames. */
export interface StreamEncoder {
  push(event: StreamEvent): string;
  /** What ends the stream when something went wrong, at any time, also before the first event. */
  fail(error: GatewayError): string;
  /** A frame without meaning that keeps the connection alive; valid at any time. */
  keepAlive(): string;
}

/** An upstream's refusal. */
export interface UpstreamRefusal {
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text when it is none. */
  body: unknown;
}

/** How a protocol asks for the size of a request. */
export interface TokenCounting {
  /** From a client's counting body to a body that {@link TextProtocol.decodeRequest} takes. */
  decodeRequest(body: Record<string, unknown>): Record<string, unknown>;
  /** From a request as {@link TextProtocol.encodeRequest} wrote it to the body of the counting call. */
  encodeRequest(body: Record<string, unknown>, target: TextTarget): Record<string, unknown>;
  encodeAnswer(tokens: number): unknown;
  /** @returns undefined when the answer is not understood */
  decodeAnswer(body: unknown): number | undefined;
}

/** How a protocol spells text: for clients (`decodeRequest`, `encode…`) and for upstreams (`encodeRequest`, `decode…`). */
export interface TextProtocol {
  name: TextProtocolName;
  /**
   * The top level of a request: which members must be there, their kinds, and the bounds of the interface. Inner parts are
   * not looked at, unknown members pass. Relayed requests are checked by this alone.
   */
  topLevel: z.ZodType<Record<string, unknown>>;
  /** @throws GatewayError `invalid_request` naming the field's path, `unsupported_parameter` for what no upstream could do */
  decodeRequest(input: DecodeInput): GenerationRequest;
  /** @throws GatewayError `unsupported_parameter` for a field that changes the meaning and cannot be carried */
  encodeRequest(request: GenerationRequest, target: TextTarget, report: LossReport): Record<string, unknown>;
  /** @throws GatewayError `provider_error` when it cannot be understood, or what {@link decodeError} gives for an error */
  decodeResponse(body: unknown, context: UpstreamResponseContext): Generation;
  encodeResponse(generation: Generation, context: ResponseContext): unknown;
  decodeStream(context: UpstreamResponseContext): StreamDecoder;
  encodeStream(context: ResponseContext): StreamEncoder;
  /**
   * Reads an answer's usage object (`usage`, `usageMetadata`).
   * @param before what earlier events of the same stream told; a later one may tell only what has changed
   */
  decodeUsage(usage: unknown, before?: Usage): Usage | undefined;
  /**
   * Ends a relayed stream that broke off, where its events go on from one another. Absent: as {@link encodeStream} fails.
   * @param response the answer as the last event told it
   */
  encodeBreak?(error: GatewayError, response: Record<string, unknown>, lastSequenceNumber: number): string;
  /** Turns a refusal into our words. An upstream's 401 and 403 are the gateway's fault: `provider_auth`. */
  decodeError(refusal: UpstreamRefusal): GatewayError;
  encodeError: EncodeError;
  /** Schema of an error body, for the documents. */
  errorSchema: z.ZodType;
  /** Absent: the protocol cannot count. */
  tokenCounting?: TokenCounting;
}
