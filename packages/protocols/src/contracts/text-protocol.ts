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

export interface DecodeInput {
  body: Record<string, unknown>;
  model: string;
  stream: boolean;
  tokenCodec: TokenCodec;
  /** Receives fields that the canonical model cannot hold. */
  report: LossReport;
}

export interface ResponseContext {
  request: GenerationRequest;
  /** The body as sent, for protocols that repeat it in the response. */
  body: Record<string, unknown>;
  /** The response id if the gateway owns it (responses). Absent: the upstream's id, or a new one. */
  responseId?: string;
  /** Time of the request, Unix seconds. */
  createdAt: number;
  /** The clock in Unix seconds, for completion times. Absent: the completion time is omitted. */
  now?: () => number;
  /** Creates an unguessable id: prefix and 32 hex digits. */
  newId: (prefix: string) => string;
  tokenCodec: TokenCodec;
  /** Stream format: `json-array` is Gemini's without `alt=sse`. Default `sse`. */
  framing?: 'sse' | 'json-array';
}

export interface UpstreamResponseContext {
  /** The upstream; opaque tokens are bound to its account. */
  target: TextTarget;
  newId: (prefix: string) => string;
}

/**
 * Decodes an upstream's stream into events in the order of {@link StreamEvent}. Never throws: invalid input becomes an
 * `error` event, after which nothing follows.
 */
export interface StreamDecoder {
  push(frame: SseFrame): StreamEvent[];
  /** Ends the stream; a stream without a finish yields `error`. */
  end(): StreamEvent[];
}

export interface StreamEncoder {
  push(event: StreamEvent): string;
  /** Valid at any time, like `keepAlive`. */
  fail(error: GatewayError): string;
  keepAlive(): string;
}

export interface UpstreamRefusal {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON, otherwise text. */
  body: unknown;
}

export interface TokenCounting {
  /** Converts a client's counting body to a body for {@link TextProtocol.decodeRequest}. */
  decodeRequest(body: Record<string, unknown>): Record<string, unknown>;
  /** Converts a request of {@link TextProtocol.encodeRequest} to the body of the counting call. */
  encodeRequest(body: Record<string, unknown>, target: TextTarget): Record<string, unknown>;
  encodeCount(tokens: number): unknown;
  /** @returns undefined for an invalid response */
  decodeCount(body: unknown): number | undefined;
}

/** A text protocol: for clients (`decodeRequest`, `encode…`) and for upstreams (`encodeRequest`, `decode…`). */
export interface TextProtocol {
  name: TextProtocolName;
  /**
   * Validates the top level of a request: required members, types, and limits. Inner values and unknown members pass.
   * Relayed requests have no other check.
   */
  topLevel: z.ZodType<Record<string, unknown>>;
  /**
   * @throws GatewayError `invalid_request` with the field's path, `unsupported_parameter` for a field that no upstream
   * supports
   */
  decodeRequest(input: DecodeInput): GenerationRequest;
  /** @throws GatewayError `unsupported_parameter` for a field that changes the meaning and cannot be carried */
  encodeRequest(request: GenerationRequest, target: TextTarget, report: LossReport): Record<string, unknown>;
  /** @throws GatewayError `provider_error` for an invalid response, otherwise the error of {@link decodeError} */
  decodeResponse(body: unknown, context: UpstreamResponseContext): Generation;
  encodeResponse(generation: Generation, context: ResponseContext): unknown;
  decodeStream(context: UpstreamResponseContext): StreamDecoder;
  encodeStream(context: ResponseContext): StreamEncoder;
  /**
   * @param before usage of earlier events of the same stream; a later event may contain changes only
   */
  decodeUsage(usage: unknown, before?: Usage): Usage | undefined;
  /**
   * Ends a relayed stream that broke off, for protocols with numbered events. Default: `fail` of {@link encodeStream}.
   * @param response as in the last event
   */
  encodeBreak?(error: GatewayError, response: Record<string, unknown>, lastSequenceNumber: number): string;
  /** Decodes an error response. An upstream's 401 and 403 concern the gateway's credentials: `provider_auth`. */
  decodeError(refusal: UpstreamRefusal): GatewayError;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
  tokenCounting?: TokenCounting;
}
