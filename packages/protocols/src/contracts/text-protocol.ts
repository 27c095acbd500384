import type {
  ClientHeaders,
  Generation,
  GatewayError,
  GenerationRequest,
  LossReport,
  StreamEvent,
  TextProtocolName,
  TextTarget,
  UpstreamProtocolName,
  Usage,
} from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';
import type { ReportLost } from '../text/response-losses.ts';
import type { TokenCodec } from '../text/token-codec.ts';
import type { SseFrame } from '../stream/sse.ts';

export interface DecodeInput {
  body: Record<string, unknown>;
  model: string;
  stream: boolean;
  tokenCodec: TokenCodec;
  /** Reports fields that the canonical model cannot represent. */
  report: LossReport;
}

export interface ResponseContext {
  request: GenerationRequest;
  /** The body as received, for protocols that repeat it in the response. */
  body: Record<string, unknown>;
  /**
   * The response id if the gateway assigns it (responses protocol). If omitted, the upstream's id or a new id is used.
   */
  responseId?: string;
  /** Time of the request, in Unix seconds. */
  createdAt: number;
  /** Returns the current time in Unix seconds, for completion times. If omitted, responses have no completion time. */
  now?: () => number;
  /** Creates an unguessable id: the prefix and 32 hex digits. */
  newId: (prefix: string) => string;
  tokenCodec: TokenCodec;
  /** The stream format. `json-array` is Gemini's format without `alt=sse`. The default is `sse`. */
  framing?: 'sse' | 'json-array';
  lost?: ReportLost;
}

export interface UpstreamResponseContext {
  /** The upstream. Opaque tokens are bound to its account. */
  target: TextTarget;
  newId: (prefix: string) => string;
  /** Reports a field of the response that the canonical model cannot represent. */
  report?: LossReport;
}

/**
 * Decodes an upstream's stream into events in the order that {@link StreamEvent} defines. Never throws: invalid input
 * becomes an `error` event, which is always the last event.
 */
export interface StreamDecoder {
  push(frame: SseFrame): StreamEvent[];
  /** Ends the stream. A stream without a finish reason yields an `error` event. */
  end(): StreamEvent[];
}

export interface StreamEncoder {
  push(event: StreamEvent): string;
  /** Can be called at any time, like `keepAlive`. */
  fail(error: GatewayError): string;
  keepAlive(): string;
}

export interface UpstreamRefusal {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON if valid, otherwise the text. */
  body: unknown;
}

/** Token counting at upstreams. */
export interface UpstreamTokenCounting {
  /** Converts a body from {@link UpstreamProtocol.encodeRequest} to the body of the upstream's token-counting request. */
  encodeRequest(body: Record<string, unknown>, target: TextTarget): Record<string, unknown>;
  /** @returns undefined for an invalid response */
  decodeCount(body: unknown): number | undefined;
}

export interface TokenCounting extends UpstreamTokenCounting {
  /** Converts the body of a client's token-counting request to a body for {@link TextProtocol.decodeRequest}. */
  decodeRequest(body: Record<string, unknown>): Record<string, unknown>;
  encodeCount(tokens: number): unknown;
}

/** The part of a text protocol that calls upstreams. */
export interface UpstreamProtocol {
  name: UpstreamProtocolName;
  /** @throws GatewayError `unsupported_parameter` for a field that changes the meaning and cannot be encoded */
  encodeRequest(request: GenerationRequest, target: TextTarget, report: LossReport): Record<string, unknown>;
  /**
   * @throws GatewayError `provider_error` for an invalid response, or the error of {@link decodeError} for an error
   * body
   */
  decodeResponse(body: unknown, context: UpstreamResponseContext): Generation;
  decodeStream(context: UpstreamResponseContext): StreamDecoder;
  /**
   * Decodes an error response. An upstream's 401 or 403 concerns the gateway's credentials and becomes `provider_auth`.
   */
  decodeError(refusal: UpstreamRefusal): GatewayError;
  tokenCounting?: UpstreamTokenCounting;
}

/** A text protocol for clients (`decodeRequest`, `encode…`) and for upstreams. */
export interface TextProtocol extends UpstreamProtocol {
  name: TextProtocolName;
  /**
   * Validates a request's top level: required fields, types, and limits. Nested values and unknown fields are not
   * checked. This is the only validation of relayed requests.
   */
  topLevel: z.ZodType<Record<string, unknown>>;
  /**
   * @throws GatewayError `invalid_request` with the field's path, or `unsupported_parameter` for a field that no
   * upstream supports
   */
  decodeRequest(input: DecodeInput): GenerationRequest;
  encodeResponse(generation: Generation, context: ResponseContext): unknown;
  encodeStream(context: ResponseContext): StreamEncoder;
  /**
   * @param before usage from earlier events of the same stream, because a later event may contain only changes
   * @param sibling reads another field of the object that contains the usage
   */
  decodeUsage(usage: unknown, before?: Usage, sibling?: (name: string) => unknown): Usage | undefined;
  /**
   * Encodes the error that ends an interrupted relayed stream, for protocols with numbered events. If omitted, `fail`
   * of {@link encodeStream} applies.
   * @param response the response object of the last event
   */
  encodeBreak?(error: GatewayError, response: Record<string, unknown>, lastSequenceNumber: number): string;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
  tokenCounting?: TokenCounting;
  /** Removes what the upstream does not accept from the headers of a relayed request. Must not modify them. */
  filterHeaders?(headers: ClientHeaders, target: TextTarget, report: LossReport): ClientHeaders;
}
