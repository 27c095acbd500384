import { GatewayError, type Loss, type TextTarget, type UpstreamTextResponse } from '@sluice/canonical';
import {
  type BufferedResponse,
  createExchange,
  type Exchange,
  type ExchangeOptions,
  type UpstreamProtocol,
  withoutReasoning,
} from '@sluice/protocols';
import type { AttemptTrace } from '@sluice/telemetry';
import { AttemptError } from '../routing/attempt-error.ts';
import { lostFields, type Served } from '../routing/served-headers.ts';
import { strictModeError } from '../routing/strict-mode-error.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { failedAttempt, scrubbedFailure } from '../routing/upstream-failure.ts';
import type { AttemptResult } from '../routing/with-fallback.ts';
import { callUpstream, expectSuccess, parseOrText, relayedHeaders } from './call-upstream.ts';
import type { GenerationDeps } from './generation-deps.ts';
import { inlineMedia } from './inline-media.ts';
import { withRequestFiles } from './send-files.ts';
import { openFeed, type StreamFeed } from './stream-feed.ts';
import { describeRequest, traceBuffered, tracedWriter } from './trace/trace-response.ts';
import type { TextContext } from './text-context.ts';
import { UPSTREAM_PROTOCOLS } from './text-protocols.ts';

/** An exchange without the body of its request, so that the memory of the body is freed when the upstream responds. */
type SentExchange = Omit<Exchange, 'body'>;

export interface OpenedResponse extends AttemptResult {
  routed: RoutedTarget;
  exchange: SentExchange;
  /** Time of the upstream call, as returned by `performance.now()`. */
  startedAt: number;
  /** Contains only headers that a client may receive with a relayed response. */
  headers: Readonly<Record<string, string>>;
  feed?: StreamFeed;
  buffered?: BufferedResponse;
  trace?: AttemptTrace | undefined;
}

export function servedOf({ routed, exchange, headers, buffered }: OpenedResponse): Served {
  const losses = [...exchange.losses, ...(buffered?.losses ?? [])];
  return { target: routed.target, relayed: exchange.isRelayed, losses, headers };
}

type CompletionDeps = Pick<
  GenerationDeps,
  'fetchInput' | 'responseBytes' | 'files' | 'vendorUploadBytes' | 'metrics' | 'now'
>;

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
  trace?: AttemptTrace,
): Promise<OpenedResponse> {
  return withRequestFiles(deps, context, routed, (sent) => requestReadable(deps, sent, routed, trace));
}

async function requestReadable(
  deps: CompletionDeps,
  context: TextContext,
  routed: RoutedTarget,
  trace: AttemptTrace | undefined,
): Promise<OpenedResponse> {
  try {
    return await requestOnce(deps, context, routed, trace);
  } catch (error) {
    const isRelayed = context.request.protocol.name === routed.target.protocol;
    if (!isRelayed || context.strict || !isUnreadable(error)) throw error;
    const request = withoutReasoning(context.request);
    if (!request) throw error;
    const opened = await requestOnce(deps, { ...context, request }, routed, trace);
    return { ...opened, exchange: { ...opened.exchange, losses: [...opened.exchange.losses, REASONING_LOSS] } };
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof AttemptError && error.error.code === 'invalid_encrypted_content';
}

/** Encodes a request for an upstream. @throws AttemptError if this upstream's protocol does not support it */
export async function prepareCompletion(
  deps: Pick<CompletionDeps, 'fetchInput'>,
  context: TextContext,
  routed: RoutedTarget,
): Promise<Exchange> {
  const upstream = UPSTREAM_PROTOCOLS[routed.target.protocol];
  const isRelayed = context.request.protocol.name === upstream.name;
  const decoded = isRelayed ? NOT_DECODED : await decodedFor(deps.fetchInput, context, routed.target);
  return prepareExchange(context, routed, upstream, decoded);
}

async function requestOnce(
  deps: CompletionDeps,
  context: TextContext,
  routed: RoutedTarget,
  trace: AttemptTrace | undefined,
): Promise<OpenedResponse> {
  const upstream = UPSTREAM_PROTOCOLS[routed.target.protocol];
  const { exchange, response, startedAt } = await sendCompletion(deps, context, routed, trace);
  await expectSuccess(routed, response, upstream, exchange.isRelayed, context.copyIds);
  const source = { upstream, target: routed.target, newId: context.response.newId };
  const opened = { routed, exchange, startedAt, headers: response.headers, trace };
  const errorOf = (error: unknown) => scrubbedFailure(error, (text) => routed.capability.scrub(text));
  try {
    if (context.request.stream) {
      const writer = tracedWriter(exchange.openWriter(), trace, source);
      return { ...opened, isStreaming: true, feed: await openFeed(response.body, writer, errorOf) };
    }
    const bytes = await response.body.collect(deps.responseBytes);
    // Only relayed responses are checked here. Decoders detect errors themselves.
    if (exchange.isRelayed) rejectError(bytes, upstream);
    const buffered = exchange.readBuffered(bytes);
    if (trace) traceBuffered(trace, bytes, buffered, source);
    return { ...opened, buffered };
  } catch (error) {
    // An internal error keeps its own cause.
    throw failedAttempt(error instanceof GatewayError ? errorOf(error) : error);
  }
}

/** A function of its own, because a suspended function refers to all its variables. */
async function sendCompletion(
  deps: CompletionDeps,
  context: TextContext,
  routed: RoutedTarget,
  trace: AttemptTrace | undefined,
): Promise<{ exchange: SentExchange; response: UpstreamTextResponse; startedAt: number }> {
  const { body, ...exchange } = await prepareCompletion(deps, context, routed);
  if (trace?.isRecording) await describeRequest(trace, context, exchange);
  const startedAt = performance.now();
  const response = await callUpstream(routed, body, context, context.operation, trace);
  return { exchange, response, startedAt };
}

const ERROR_START = /^\s*\{\s*(?:"error"\s*:\s*["{]|"type"\s*:\s*"error")/;
const START_BYTES = 200;

/** Some vendors send errors with status 200. @throws GatewayError */
function rejectError(bytes: Uint8Array, upstream: UpstreamProtocol): void {
  if (!ERROR_START.test(Buffer.from(bytes.subarray(0, START_BYTES)).toString())) return;
  throw upstream.decodeError({ status: 0, headers: {}, body: parseOrText(Buffer.from(bytes).toString()) });
}

type Decoded = Pick<ExchangeOptions, 'generation' | 'decodeLosses'>;

/** @throws AttemptError if this upstream's protocol does not support the request; another upstream may support it */
function prepareExchange(
  context: TextContext,
  { target, capability }: RoutedTarget,
  upstream: UpstreamProtocol,
  { generation, decodeLosses }: Decoded,
): Exchange {
  const { request, response, keepsGeneration, sentBody } = context;
  const scrub = (text: string): string => capability.scrub(text);
  try {
    const exchange = createExchange({
      request,
      upstream,
      target,
      response,
      keepsGeneration,
      scrub,
      sentBody,
      decodeLosses,
      generation,
    });
    const { losses: lostHeaders } = relayedHeaders(request, context.headers, target);
    const losses = lostHeaders.length === 0 ? exchange.losses : [...exchange.losses, ...lostHeaders];
    if (context.strict && losses.length > 0) throw strictModeError(lostFields(losses));
    return losses === exchange.losses ? exchange : { ...exchange, losses };
  } catch (error) {
    throw notSent(error);
  }
}

function notSent(error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error;
  return new AttemptError({ error, mayRetry: true, countsAsFailure: false, source: 'not-sent' });
}

const NOT_DECODED: Decoded = {
  generation: (): never => {
    throw new Error('a relayed request is not decoded');
  },
  decodeLosses: [],
};

/** @throws AttemptError if the request is invalid, or if its images are not available */
async function decodedFor(
  fetchInput: GenerationDeps['fetchInput'],
  context: TextContext,
  { protocol }: TextTarget,
): Promise<Decoded> {
  try {
    const { generation, losses: decodeLosses } = await context.decoded();
    const inlined = await inlineMedia(generation, protocol, fetchInput, context.signal);
    return { generation: () => inlined, decodeLosses };
  } catch (error) {
    throw notSent(error);
  }
}
