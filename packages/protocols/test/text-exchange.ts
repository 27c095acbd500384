import type { Loss, TextQuirks, TextTarget, UpstreamProtocolName } from '@sluice/canonical';
import {
  type ResponseContext,
  chatCompletionsProtocol,
  converseProtocol,
  createExchange,
  type Exchange,
  type ExchangeOptions,
  generativeContentProtocol,
  messagesProtocol,
  readTextRequest,
  responsesProtocol,
  type TextProtocol,
  type UpstreamProtocol,
} from '../src/index.ts';
import { TEST_TOKEN_CODEC } from './readable-tokens.ts';

/** The four text protocols, in the order used by the documentation's tables. */
export const TEXT_PROTOCOLS: readonly TextProtocol[] = [
  chatCompletionsProtocol,
  responsesProtocol,
  messagesProtocol,
  generativeContentProtocol,
];

/** The protocols of upstreams, in the order used by the documentation's tables. */
export const UPSTREAM_PROTOCOLS: readonly UpstreamProtocol[] = [...TEXT_PROTOCOLS, converseProtocol];

export function protocolNamed(name: string): TextProtocol {
  const match = TEXT_PROTOCOLS.find((protocol) => protocol.name === name);
  if (!match) throw new Error(`${name} is not a text protocol`);
  return match;
}

/** The requested model. */
export const CLIENT_MODEL = 'client-model';

/** A case's upstream settings. */
export interface TargetOptions {
  model?: string;
  quirks?: TextQuirks;
}

/** Models with few restrictions, so that models cause few losses. */
const PLAIN_MODELS: Readonly<Record<UpstreamProtocolName, string>> = {
  'chat-completions': 'gpt-4.1',
  responses: 'gpt-4.1',
  messages: 'claude-sonnet-4-5',
  'generative-content': 'gemini-3-flash',
  converse: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
};

/** Creates a case's upstream target. */
export function createTarget(protocol: UpstreamProtocolName, { model, quirks = {} }: TargetOptions = {}): TextTarget {
  return { upstream: 'up', account: 'acc', protocol, model: model ?? PLAIN_MODELS[protocol], quirks };
}

export interface TestExchangeOptions {
  client: TextProtocol;
  upstream: UpstreamProtocol;
  target: TextTarget;
  /** The client's body with wrapped opaque tokens. */
  body: Record<string, unknown>;
  stream: boolean;
  framing?: ResponseContext['framing'];
}

/** Returns an exchange's body as text. */
export function sentText({ body }: Pick<Exchange, 'body'>): string {
  if (typeof body === 'string') return body;
  const chunks: readonly Uint8Array[] = body instanceof Uint8Array ? [body] : body;
  return Buffer.concat(chunks).toString();
}

/** Creates an exchange as the gateway does, with consecutive ids and a fixed clock. */
export function openExchange(options: TestExchangeOptions): Exchange {
  const { client, upstream, target, stream, framing } = options;
  const isPathRequest = client.name === 'generative-content';
  const body = isPathRequest ? options.body : { model: CLIENT_MODEL, ...(stream && { stream }), ...options.body };
  const path = isPathRequest ? { model: CLIENT_MODEL, stream } : undefined;
  const request = readTextRequest(client, Buffer.from(JSON.stringify(body)), path);
  const decodeLosses: Loss[] = [];
  let last = 0;
  const response: ExchangeOptions['response'] = {
    createdAt: 1_700_000_000,
    now: () => 1_700_000_002,
    newId: (prefix) => `${prefix}new${++last}`,
    tokenCodec: TEST_TOKEN_CODEC,
    ...(client.name === 'responses' && upstream.name !== 'responses' && { responseId: 'resp_client' }),
    ...(framing && { framing }),
  };
  const decode = () =>
    client.decodeRequest({
      body: request.body(),
      model: request.model,
      stream: request.stream,
      tokenCodec: TEST_TOKEN_CODEC,
      report: (loss) => decodeLosses.push(loss),
    });
  const isTranslated = client.name !== upstream.name;
  const decoded = isTranslated ? decode() : undefined;
  return createExchange({
    request,
    upstream,
    target,
    generation: () => decoded ?? decode(),
    decodeLosses,
    response,
    keepsGeneration: isTranslated,
    scrub: (text) => text,
  });
}

/** Requests for everything that a response can contain: reasoning, and usage at the end of a stream. */
export const FULL_REQUESTS: Readonly<Record<string, Record<string, unknown>>> = {
  'chat-completions': { messages: [{ role: 'user', content: 'Hi' }], stream_options: { include_usage: true } },
  responses: { input: 'Hi', reasoning: { summary: 'auto' } },
  messages: { max_tokens: 4096, thinking: { type: 'adaptive' }, messages: [{ role: 'user', content: 'Hi' }] },
  'generative-content': {
    contents: [{ parts: [{ text: 'Hi' }] }],
    generationConfig: { thinkingConfig: { includeThoughts: true } },
  },
};
