import {
  GatewayError,
  type Loss,
  type UpstreamTextResponse,
  type TextCall,
  type TextOperation,
  type TextTarget,
} from '@sluice/canonical';
import { createExchange, type Exchange, type TextProtocol, type BufferedResponse } from '@sluice/protocols';
import { AttemptError, classifyRefusal } from '../routing/attempt-error.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import type { AttemptResult } from '../routing/with-fallback.ts';
import { traced } from '../routing/failure-trace.ts';
import { inlineMedia } from './inline-media.ts';
import { openFeed, type StreamFeed } from './stream-feed.ts';
import type { GenerationDeps } from './text-services.ts';
import type { TextContext } from './text-context.ts';
import { failedAttempt, scrubbedFailure } from '../routing/upstream-failure.ts';

/** An answer whose first text may go to the client. */
export interface OpenedResponse extends AttemptResult {
  routed: RoutedTarget;
  exchange: Exchange;
  /** Of the upstream's answer, those that a relayed client may see. */
  headers: Readonly<Record<string, string>>;
  /** For a client that wants a stream. */
  feed?: StreamFeed;
  /** For one that does not. */
  whole?: BufferedResponse;
}

/** What a refusal may be long. */
const REFUSAL_BYTES = 1024 * 1024;

/**
 * Asks one upstream.
 * @throws AttemptError when another may be asked, or what the client is to be told
 */
export async function requestCompletion(
  deps: GenerationDeps,
  context: TextContext,
  routed: RoutedTarget,
): Promise<OpenedResponse> {
  const upstream = deps.protocols[routed.target.protocol];
  const exchange = await prepareExchange(deps, context, routed, upstream);
  const response = await callUpstream(routed, exchange.body, context, context.operation);
  await expectSuccess(routed, response, upstream, exchange.isRelayed);
  const opened = { routed, exchange, headers: response.headers };
  const errorOf = (error: unknown) => scrubbedFailure(error, (text) => routed.capability.scrub(text));
  try {
    if (context.request.stream) {
      return { ...opened, isStreaming: true, feed: await openFeed(response.body, exchange.openWriter(), errorOf) };
    }
    const bytes = await response.body.collect(deps.responseBytes);
    // A decoder finds out itself.
    if (exchange.isRelayed) refuseError(bytes, upstream);
    return { ...opened, whole: exchange.readBuffered(bytes) };
  } catch (error) {
    // A bug of ours keeps its own cause.
    throw failedAttempt(error instanceof GatewayError ? errorOf(error) : error);
  }
}

/** How an error begins, in every protocol. */
const ERROR_START = /^\s*\{\s*(?:"error"\s*:\s*["{]|"type"\s*:\s*"error")/;
const START_BYTES = 200;

/** Some vendors tell errors with status 200. @throws GatewayError what such an answer says */
function refuseError(bytes: Uint8Array, upstream: TextProtocol): void {
  if (!ERROR_START.test(Buffer.from(bytes.subarray(0, START_BYTES)).toString())) return;
  throw upstream.decodeError({ status: 0, headers: {}, body: parsed(Buffer.from(bytes).toString()) });
}

/** @throws AttemptError when this upstream's protocol cannot carry the request: another one's may */
async function prepareExchange(
  deps: GenerationDeps,
  context: TextContext,
  { target, capability }: RoutedTarget,
  upstream: TextProtocol,
): Promise<Exchange> {
  const { request, response, keep, sentBody } = context;
  const scrub = (text: string): string => capability.scrub(text);
  const common = { request, upstream, target, response, keep, scrub, ...(sentBody && { sentBody }) };
  try {
    const isRelayed = request.protocol.name === upstream.name;
    const { generation, losses } = isRelayed ? NOT_DECODED : await wishFor(deps, context, target);
    const exchange = createExchange({ ...common, decodeLosses: losses, generation });
    if (context.strict) refuseLosses(exchange.losses);
    return exchange;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new AttemptError({ error, mayRetry: true, countsAsFailure: false, fault: 'unasked' });
  }
}

/** What a relayed request is instead of decoded. */
const NOT_DECODED = { generation: () => notDecoded(), losses: [] };

/** The decoded request in a form that a target can take. */
async function wishFor(deps: GenerationDeps, context: TextContext, { protocol }: TextTarget) {
  const { generation, losses } = await context.params();
  if (protocol !== 'generative-content') return { generation: () => generation, losses };
  const inline = await inlineMedia(generation, deps.fetchInput, context.signal);
  return { generation: () => inline, losses };
}

function notDecoded(): never {
  throw new Error('a relayed request is not decoded');
}

function refuseLosses(losses: readonly Loss[]): void {
  const [first] = losses;
  if (!first) return;
  const fields = lostFields(losses);
  throw new GatewayError(
    'unsupported_parameter',
    `No upstream of this model can carry ${fields.join(', ')}, and strict mode forbids to leave it out.`,
    { param: first.field },
  );
}

/** The names of what was lost, each once. */
export function lostFields(losses: readonly Loss[]): string[] {
  return [...new Set(losses.map(({ field }) => field))];
}

/** Calls an upstream. @throws AttemptError when there is no answer */
export async function callUpstream(
  { target, capability }: RoutedTarget,
  body: TextCall['body'],
  { request, headers, charge, signal }: Pick<TextContext, 'request' | 'headers' | 'charge' | 'signal'>,
  operation: TextOperation,
): Promise<UpstreamTextResponse> {
  charge?.upstreamCalled();
  try {
    return await capability.open({
      operation,
      model: target.model,
      stream: (operation === 'generate' || operation === 'complete') && request.stream,
      body,
      // A client's headers mean something to its own protocol alone.
      ...(request.protocol.name === target.protocol && { headers }),
      signal,
    });
  } catch (error) {
    throw failedAttempt(error);
  }
}

/** Refusals that are about the request; the others are about the account, which is ours, or the upstream. */
const ABOUT_THE_REQUEST = new Set([400, 409, 413, 422, 429]);

/**
 * Turns a refusal into an error that may go to the client: in the vendor's own words when it speaks the client's protocol
 * and is about the request.
 * @throws AttemptError
 */
export async function expectSuccess(
  { capability }: RoutedTarget,
  response: UpstreamTextResponse,
  upstream: TextProtocol,
  isRelayed: boolean,
): Promise<void> {
  if (response.status >= 200 && response.status < 300) return;
  let text = '';
  try {
    text = Buffer.from(await response.body.collect(REFUSAL_BYTES)).toString('utf8');
  } catch {
    // The status says enough.
  }
  const body = capability.scrub(text);
  const value = parsed(body);
  const { status } = response;
  // An HTTP date in `retry-after` is relative to now.
  const headers = { date: new Date().toUTCString(), ...response.headers };
  const error = upstream.decodeError({ status, headers, body: value });
  const keepsWords = isRelayed && ABOUT_THE_REQUEST.has(status) && typeof value === 'object' && error.status < 500;
  const original = keepsWords ? { status, body } : undefined;
  throw classifyRefusal(status, traced(error, { upstreamStatus: status, ...(original && { original }) }));
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
