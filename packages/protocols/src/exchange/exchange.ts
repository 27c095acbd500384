import { GatewayError, type GenerationRequest, type Loss, type TextCall, type TextTarget } from '@sluice/canonical';
import type { ResponseContext, TextProtocol } from '../contracts/text-protocol.ts';
import type { ResponseWriter, BufferedResponse } from './response-writer.ts';
import { responseIdIn, itemIdsIn } from './response-ids.ts';
import { binaryText, isAscii } from './binary-text.ts';
import { jsonObjectEnd } from './json-members.ts';
import { relayedResponse, relayedRequest, wantsUsage } from './relay-edits.ts';
import { relayStream } from './relay-stream.ts';
import { restoreTools } from './restore-tools.ts';
import { type Scrub, scrubError } from './scrub-error.ts';
import type { TextRequest } from './text-request.ts';
import { translateStream } from './translate-stream.ts';
import { noteUsage } from './watch-usage.ts';

export interface ExchangeOptions {
  request: TextRequest;
  upstream: TextProtocol;
  target: TextTarget;
  /** The decoded request, needed only for a translation. */
  generation: () => GenerationRequest;
  /** The losses of decoding the request. */
  decodeLosses: readonly Loss[];
  /** Context of the encoders for the client. */
  response: Omit<ResponseContext, 'request' | 'body'>;
  /** The body as sent, if references in it were resolved since; some protocols repeat it. */
  sentBody?: () => Record<string, unknown>;
  /** Whether the translated response is kept; for chat clients only its reasoning and calls. */
  keep: boolean;
  /** Removes secrets from a vendor's error. */
  scrub: Scrub;
}

/**
 * One request to one upstream: relayed if both protocols match, otherwise translated. Does not change its input, so
 * that
 * another upstream may be called with it.
 */
export interface Exchange {
  isRelayed: boolean;
  /** The body for the upstream. */
  body: TextCall['body'];
  /** The fields that the upstream's protocol cannot carry. */
  losses: readonly Loss[];
  /** For a streamed response. */
  openWriter(): ResponseWriter;
  /** For a complete response. @throws GatewayError `provider_error` for an invalid one */
  readBuffered(bytes: Uint8Array): BufferedResponse;
}

/** @throws GatewayError if the upstream's protocol cannot carry the request */
export function createExchange(options: ExchangeOptions): Exchange {
  return options.request.protocol.name === options.upstream.name ? relay(options) : translate(options);
}

function relay({ request, target, response, scrub }: ExchangeOptions): Exchange {
  const losses: Loss[] = [];
  const { protocol, model, stream } = request;
  const context: ResponseContext = {
    ...response,
    request: { protocol: protocol.name, model, stream, messages: [], tools: [] }, // nothing is decoded
    get body() {
      return request.body();
    },
  };
  const body = relayedRequest(request, {
    target,
    tokenCodec: response.tokenCodec,
    report: (loss) => losses.push(loss),
  });
  return {
    isRelayed: true,
    body,
    losses,
    openWriter: () => relayStream({ protocol, context, withholdUsage: !wantsUsage(request), scrub }),
    readBuffered: (bytes) => {
      const text = binaryText(bytes);
      if (jsonObjectEnd(text) === undefined) throw notUnderstood();
      const seen: { usage?: BufferedResponse['usage'] & object } = {};
      noteUsage(protocol, text, seen);
      const edited = relayedResponse(protocol.name, scrubError(protocol.name, text, scrub), model);
      const isResponse = protocol.name === 'responses';
      const responseId = isResponse ? responseIdIn(text) : undefined;
      return {
        body: sendable(edited),
        ...(seen.usage && { usage: seen.usage }),
        ...(responseId !== undefined && { responseId }),
        ...(isResponse && { itemIds: itemIdsIn(text) }),
      };
    },
  };
}

function translate(options: ExchangeOptions): Exchange {
  const { request, upstream, target, generation, decodeLosses, keep } = options;
  const losses: Loss[] = [...decodeLosses];
  const params = generation();
  const body = JSON.stringify(upstream.encodeRequest(params, target, (loss) => losses.push(loss)));
  const response: ResponseContext = {
    ...options.response,
    request: params,
    body: options.sentBody?.() ?? request.body(),
  };
  const isChat = request.protocol.name === 'chat-completions';
  const keeps = !keep ? undefined : isChat ? 'reasoning' : 'answer';
  const source = { target, newId: options.response.newId };
  return {
    isRelayed: false,
    body,
    losses,
    openWriter: () => translateStream({ client: request.protocol, upstream, response, source, keeps }),
    readBuffered: (bytes) => {
      const decoded = upstream.decodeResponse(parseResponse(bytes), source);
      const whole = restoreTools(decoded, params.tools);
      return {
        body: JSON.stringify(request.protocol.encodeResponse(whole, response)),
        generation: whole,
        ...(whole.usage && { usage: whole.usage }),
      };
    },
  };
}

/** ASCII is the same text in every encoding, and Node sends a text together with the head. */
function sendable(binary: string): string | Uint8Array {
  return binary.length <= SMALL_RESPONSE && isAscii(binary) ? binary : Buffer.from(binary, 'latin1');
}

const SMALL_RESPONSE = 64 * 1024;

function notUnderstood(): GatewayError {
  return new GatewayError('provider_error', 'The upstream returned an invalid response.', { retryable: true });
}

/** Undefined for invalid JSON, which every decoder rejects. */
function parseResponse(bytes: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    return value;
  } catch {
    return undefined;
  }
}
