import {
  GatewayError,
  type GenerationRequest,
  type Loss,
  type TextCall,
  type TextTarget,
  type Usage,
  invalidResponseMessage,
} from '@sluice/canonical';
import type { ResponseContext, TextProtocol, UpstreamProtocol } from '../contracts/text-protocol.ts';
import type { ResponseWriter, BufferedResponse } from './response-writer.ts';
import { responseIdIn, itemIdsIn } from './response-ids.ts';
import { binaryText, isAscii } from './binary-text.ts';
import { jsonMembers, jsonObjectEnd } from './json-members.ts';
import { editObject, relayedRequest, requestsUsage } from './relay-edits.ts';
import { relayStream } from './relay-stream.ts';
import { createResponseLosses } from '../text/response-loss-names.ts';
import { restoreTools } from './restore-tools.ts';
import { type Scrub, scrubError } from './scrub-error.ts';
import type { TextRequest } from './text-request.ts';
import { translateStream } from './translate-stream.ts';
import { recordUsage } from './record-usage.ts';

export interface ExchangeOptions {
  request: TextRequest;
  upstream: UpstreamProtocol;
  target: TextTarget;
  /** Decodes the request. Called only for translations. */
  generation: () => GenerationRequest;
  decodeLosses: readonly Loss[];
  response: Omit<ResponseContext, 'request' | 'body'>;
  /** Returns the body before its references were resolved, because some protocols repeat it. */
  sentBody?: () => Record<string, unknown>;
  /** Whether to collect the translated response. For chat clients, only reasoning and calls are collected. */
  keepsGeneration: boolean;
  scrub: Scrub;
}

/**
 * One request to one upstream. It is relayed if the client and the upstream use the same protocol, and translated
 * otherwise. The input is not modified, so that a fallback can reuse it.
 */
export interface Exchange {
  isRelayed: boolean;
  body: TextCall['body'];
  losses: readonly Loss[];
  openWriter(): ResponseWriter;
  /** @throws GatewayError `provider_error` for an invalid response */
  readBuffered(bytes: Uint8Array): BufferedResponse;
}

/** @throws GatewayError if the upstream's protocol cannot carry the request */
export function createExchange(options: ExchangeOptions): Exchange {
  return options.request.protocol.name === options.upstream.name ? relay(options) : translate(options);
}

function relay({ request, target, response, scrub }: ExchangeOptions): Exchange {
  const losses: Loss[] = [];
  const { protocol, model, stream } = request;
  const body = relayedRequest(request, {
    target,
    tokenCodec: response.tokenCodec,
    report: (loss) => losses.push(loss),
  });
  return {
    isRelayed: true,
    body,
    losses,
    openWriter: () => {
      const { framing } = response;
      // A relay does not decode the request.
      const notDecoded = { protocol: protocol.name, model, stream, messages: [], tools: [] };
      const context = () => ({ ...response, request: notDecoded, body: request.body() });
      return relayStream({ protocol, model, framing, context, withholdUsage: !requestsUsage(request), scrub });
    },
    readBuffered: (bytes) => readRelayed({ protocol, model }, scrub, bytes),
  };
}

function readRelayed({ protocol, model }: Pick<TextRequest, 'protocol' | 'model'>, scrub: Scrub, bytes: Uint8Array) {
  const text = binaryText(bytes);
  // One pass finds all members. If it fails, the vendor's object is relayed as far as its braces match.
  const members = jsonMembers(text);
  if (!members && jsonObjectEnd(text) === undefined) throw invalidResponse();
  const recorded: Pick<BufferedResponse, 'usage'> = {};
  recordUsage(protocol, text, recorded, members);
  const scrubbed = scrubError(protocol.name, text, scrub, members);
  const edited = editObject(protocol.name, scrubbed, model, scrubbed === text ? members : undefined);
  const isResponse = protocol.name === 'responses';
  return {
    body: toSend(edited),
    usage: recorded.usage,
    responseId: isResponse ? responseIdIn(text) : undefined,
    itemIds: isResponse ? itemIdsIn(text) : undefined,
  };
}

function translate(options: ExchangeOptions): Exchange {
  const { request, upstream, target, generation, decodeLosses, keepsGeneration } = options;
  const losses: Loss[] = [...decodeLosses];
  const params = generation();
  const text = JSON.stringify(upstream.encodeRequest(params, target, (loss) => losses.push(loss)));
  const response: ResponseContext = {
    ...options.response,
    request: params,
    body: options.sentBody?.() ?? request.body(),
  };
  const isChat = request.protocol.name === 'chat-completions';
  const collects = !keepsGeneration ? undefined : isChat ? 'reasoning' : 'all';
  const { newId } = options.response;
  return {
    isRelayed: false,
    // A long text would be in memory twice during the call, because Node encodes it to send it.
    body: text.length <= SMALL_BODY ? text : Buffer.from(text),
    losses,
    openWriter: () => {
      const { list, report, lost } = createResponseLosses(upstream.name);
      const source = { target, newId, report };
      const context = { ...response, lost };
      return translateStream({ client: request.protocol, upstream, response: context, source, collects, losses: list });
    },
    readBuffered: (bytes) => readTranslated({ client: request.protocol, upstream, target, response }, bytes),
  };
}

interface Translation {
  client: TextRequest['protocol'];
  upstream: UpstreamProtocol;
  target: TextTarget;
  response: ResponseContext;
}

function readTranslated({ client, upstream, target, response }: Translation, bytes: Uint8Array): BufferedResponse {
  const { list, report, lost } = createResponseLosses(upstream.name);
  const decoded = upstream.decodeResponse(parseResponse(bytes), { target, newId: response.newId, report });
  const restored = restoreTools(decoded, response.request.tools);
  const encoded = JSON.stringify(client.encodeResponse(restored, { ...response, lost }));
  return { body: encoded, generation: restored, usage: restored.usage, losses: list };
}

/**
 * Reads the response to a request that was encoded before, e.g. by another process. The request is not encoded again, so
 * its references need not exist any more.
 * @throws GatewayError `provider_error` for an invalid response
 */
export function readResponse(
  { request, upstream, target, response, generation, scrub }: Omit<ExchangeOptions, 'decodeLosses' | 'keepsGeneration'>,
  bytes: Uint8Array,
): BufferedResponse {
  const { protocol: client } = request;
  if (client.name === upstream.name) return readRelayed(request, scrub, bytes);
  const context = { ...response, request: generation(), body: request.body() };
  return readTranslated({ client, upstream, target, response: context }, bytes);
}

/** Returns the usage in a response, which may be invalid otherwise. */
export function usageIn(protocol: TextProtocol, bytes: Uint8Array): Usage | undefined {
  const recorded: Pick<BufferedResponse, 'usage'> = {};
  recordUsage(protocol, binaryText(bytes), recorded);
  return recorded.usage;
}

/**
 * Returns ASCII as a string, because Node sends a string in the same write as the headers. ASCII has the same bytes in
 * every encoding.
 */
function toSend(binary: string): string | Uint8Array {
  return binary.length <= SMALL_BODY && isAscii(binary) ? binary : Buffer.from(binary, 'latin1');
}

const SMALL_BODY = 64 * 1024;

function invalidResponse(): GatewayError {
  return new GatewayError('provider_error', invalidResponseMessage(), { retryable: true });
}

/** Returns undefined for invalid JSON, which every decoder rejects. */
function parseResponse(bytes: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    return value;
  } catch {
    return undefined;
  }
}
