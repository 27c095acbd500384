import { GatewayError, type Loss, type TextTarget } from '@sluice/canonical';
import {
  type BufferedResponse,
  createExchange,
  type Exchange,
  type TextProtocol,
  withoutReasoning,
} from '@sluice/protocols';
import { AttemptError } from '../routing/attempt-error.ts';
import { lostFields, type Served } from '../routing/served-headers.ts';
import { strictModeError } from '../routing/strict-mode-error.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { failedAttempt, scrubbedFailure } from '../routing/upstream-failure.ts';
import type { AttemptResult } from '../routing/with-fallback.ts';
import { callUpstream, expectSuccess, parseOrText } from './call-upstream.ts';
import type { GenerationDeps } from './generation-deps.ts';
import { inlineMedia } from './inline-media.ts';
import { openFeed, type StreamFeed } from './stream-feed.ts';
import type { TextContext } from './text-context.ts';
import { TEXT_PROTOCOLS } from './text-protocols.ts';

export interface OpenedResponse extends AttemptResult {
  routed: RoutedTarget;
  exchange: Exchange;
  /** Time of the upstream call, as returned by `performance.now()`. */
  startedAt: number;
  /** Contains only headers that a client may receive with a relayed response. */
  headers: Readonly<Record<string, string>>;
  feed?: StreamFeed;
  buffered?: BufferedResponse;
}

export function servedOf({ routed, exchange, headers, buffered }: OpenedResponse): Served {
  const losses = [...exchange.losses, ...(buffered?.losses ?? [])];
  return { target: routed.target, relayed: exchange.isRelayed, losses, headers };
}

type CompletionDeps = Pick<GenerationDeps, 'fetchInput' | 'responseBytes'>;

const REASONING_LOSS: Loss = { field: 'reasoning', how: 'dropped' };

/**
 * Sends one request to an upstream. After a fallback, a relayed request may contain reasoning that was encrypted for
 * another account at the same vendor. If the upstream cannot read it, the request is repeated once without it.
 * @throws AttemptError if a fallback is possible, or with the client's error
 */
export async function requestCompletion(
  deps: CompletionDeps,
  context: TextContext,
  routed: RoutedTarget,
): Promise<OpenedResponse> {
  try {
    return await requestOnce(deps, context, routed);
  } catch (error) {
    const isRelayed = context.request.protocol.name === routed.target.protocol;
    if (!isRelayed || context.strict || !isUnreadable(error)) throw error;
    const request = withoutReasoning(context.request);
    if (!request) throw error;
    const opened = await requestOnce(deps, { ...context, request }, routed);
    return { ...opened, exchange: { ...opened.exchange, losses: [...opened.exchange.losses, REASONING_LOSS] } };
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof AttemptError && error.error.code === 'invalid_encrypted_content';
}

async function requestOnce(deps: CompletionDeps, context: TextContext, routed: RoutedTarget): Promise<OpenedResponse> {
  const upstream = TEXT_PROTOCOLS[routed.target.protocol];
  const exchange = await prepareExchange(deps.fetchInput, context, routed, upstream);
  const startedAt = performance.now();
  const response = await callUpstream(routed, exchange.body, context, context.operation);
  await expectSuccess(routed, response, upstream, exchange.isRelayed);
  const opened = { routed, exchange, startedAt, headers: response.headers };
  const errorOf = (error: unknown) => scrubbedFailure(error, (text) => routed.capability.scrub(text));
  try {
    if (context.request.stream) {
      return { ...opened, isStreaming: true, feed: await openFeed(response.body, exchange.openWriter(), errorOf) };
    }
    const bytes = await response.body.collect(deps.responseBytes);
    // Only relayed responses are checked here. Decoders detect errors themselves.
    if (exchange.isRelayed) rejectError(bytes, upstream);
    return { ...opened, buffered: exchange.readBuffered(bytes) };
  } catch (error) {
    // An internal error keeps its own cause.
    throw failedAttempt(error instanceof GatewayError ? errorOf(error) : error);
  }
}

const ERROR_START = /^\s*\{\s*(?:"error"\s*:\s*["{]|"type"\s*:\s*"error")/;
const START_BYTES = 200;

/** Some vendors send errors with status 200. @throws GatewayError */
function rejectError(bytes: Uint8Array, upstream: TextProtocol): void {
  if (!ERROR_START.test(Buffer.from(bytes.subarray(0, START_BYTES)).toString())) return;
  throw upstream.decodeError({ status: 0, headers: {}, body: parseOrText(Buffer.from(bytes).toString()) });
}

/** @throws AttemptError if this upstream's protocol does not support the request; another upstream may support it */
async function prepareExchange(
  fetchInput: GenerationDeps['fetchInput'],
  context: TextContext,
  { target, capability }: RoutedTarget,
  upstream: TextProtocol,
): Promise<Exchange> {
  const { request, response, keep, sentBody } = context;
  const scrub = (text: string): string => capability.scrub(text);
  const common = { request, upstream, target, response, keep, scrub, ...(sentBody && { sentBody }) };
  try {
    const isRelayed = request.protocol.name === upstream.name;
    const { generation, losses } = isRelayed ? NOT_DECODED : await decodedFor(fetchInput, context, target);
    const exchange = createExchange({ ...common, decodeLosses: losses, generation });
    if (context.strict && exchange.losses.length > 0) throw strictModeError(lostFields(exchange.losses));
    return exchange;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new AttemptError({ error, mayRetry: true, countsAsFailure: false, source: 'not-sent' });
  }
}

const NOT_DECODED = {
  generation: (): never => {
    throw new Error('a relayed request is not decoded');
  },
  losses: [],
};

async function decodedFor(fetchInput: GenerationDeps['fetchInput'], context: TextContext, { protocol }: TextTarget) {
  const { generation, losses } = await context.decoded();
  if (protocol !== 'generative-content') return { generation: () => generation, losses };
  const inlined = await inlineMedia(generation, fetchInput, context.signal);
  return { generation: () => inlined, losses };
}
