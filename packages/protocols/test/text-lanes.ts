import type { Loss, TextProtocolName, TextQuirks, TextTarget } from '@sluice/canonical';
import {
  type ResponseContext,
  chatCompletionsProtocol,
  createExchange,
  type Exchange,
  type ExchangeOptions,
  generativeContentProtocol,
  messagesProtocol,
  readTextRequest,
  responsesProtocol,
  type TextProtocol,
} from '../src/index.ts';
import { TEST_TOKEN_CODEC } from './readable-tokens.ts';

/** The four, in the order of tables. */
export const LANES: readonly TextProtocol[] = [
  chatCompletionsProtocol,
  responsesProtocol,
  messagesProtocol,
  generativeContentProtocol,
];

/** One of the four by its name. */
export function laneOf(name: string): TextProtocol {
  const found = LANES.find((protocol) => protocol.name === name);
  if (!found) throw new Error(`${name} is no text protocol`);
  return found;
}

/** The id that clients ask for. */
export const CLIENT_MODEL = 'our-model';

/** What a case says about an upstream. */
export interface LaneTarget {
  model?: string;
  quirks?: TextQuirks;
}

/** Models that take most of what their protocol has, so that little is lost to a model alone. */
const PLAIN_MODELS: Readonly<Record<TextProtocolName, string>> = {
  'chat-completions': 'gpt-4.1',
  responses: 'gpt-4.1',
  messages: 'claude-sonnet-4-5',
  'generative-content': 'gemini-3-flash',
};

/** The upstream that a case asks. */
export function laneTarget(protocol: TextProtocolName, { model, quirks = {} }: LaneTarget = {}): TextTarget {
  return { upstream: 'up', account: 'acc', protocol, model: model ?? PLAIN_MODELS[protocol], quirks };
}

/** What {@link openLane} needs. */
export interface LaneOptions {
  client: TextProtocol;
  upstream: TextProtocol;
  target: TextTarget;
  /** The client's body; seals are wrapped already. */
  body: Record<string, unknown>;
  stream: boolean;
  framing?: ResponseContext['framing'];
}

/** What an exchange sends, as text. */
export function sentText({ body }: Pick<Exchange, 'body'>): string {
  if (typeof body === 'string') return body;
  const chunks: readonly Uint8Array[] = body instanceof Uint8Array ? [body] : body;
  return Buffer.concat(chunks).toString();
}

/** An exchange as the gateway makes it, with ids that count up and a clock that stands still. */
export function openLane(options: LaneOptions): Exchange {
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
    ...(client.name === 'responses' && upstream.name !== 'responses' && { responseId: 'resp_ours' }),
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
    keep: isTranslated,
    scrub: (text) => text,
  });
}
