import {
  type Generation,
  GatewayError,
  type GenerationRequest,
  type Loss,
  type TextOperation,
} from '@sluice/canonical';
import type { AttemptTrace } from '@sluice/telemetry';
import type { FastifyReply } from 'fastify';
import { withHedging } from '../routing/hedging/hedge.ts';
import { servedFields } from '../routing/record-served.ts';
import { loggedFields, lostFields, servedHeaders } from '../routing/served-headers.ts';
import { strictModeError } from '../routing/strict-mode-error.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import { hedgeText } from './hedge-text.ts';
import { meterText } from './meter-text.ts';
import { orderTargets } from './order-targets.ts';
import type { AlternativePlan, TextPlan } from './plan-text.ts';
import { hasCalls, rememberReasoning } from './reasoning/remember-reasoning.ts';
import { type OpenedResponse, requestCompletion, servedOf } from './request-completion.ts';
import { type Outcome, sendStream } from './send-stream.ts';
import { storeEarly } from './store-early.ts';
import { createTextContext, type TextContext } from './text-context.ts';

export interface ServeOptions {
  /** Whether the request is not read again after it has been served, so that its memory can be freed. */
  isLastUse?: boolean;
  responseId?: string;
  /** Unix seconds. By default, the current time. */
  createdAt?: number;
  operation?: TextOperation;
  /** The client's body before its references were resolved. */
  sentBody?: () => Record<string, unknown>;
  /** Parts of the conversation that the plan's upstreams cannot receive. */
  losses?: readonly Loss[] | undefined;
  /** Plans the request for other upstreams. Called if those of the plan fail. */
  alternative?: (() => Promise<AlternativePlan | undefined>) | undefined;
  /** Stores a relayed stream as soon as its id is known, because the client can retrieve it while it is generated. */
  storesEarly?: boolean;
  /**
   * Called before a buffered response or the last byte of a stream is sent, and after a relayed response was cut short.
   * Must not throw.
   * @param generation undefined for a relayed response
   */
  store?: (
    opened: OpenedResponse,
    generation: Generation | undefined,
    request: GenerationRequest | undefined,
  ) => Promise<void>;
}

/** Serves a request from the first upstream that responds. @throws GatewayError if nothing has been sent yet */
export async function serveText(
  deps: GenerationDeps,
  call: TextCall,
  plan: TextPlan,
  options: ServeOptions = {},
): Promise<unknown> {
  const { responseId, createdAt, operation, sentBody, store, isLastUse = false } = options;
  const contextOf = ({ request, files }: TextPlan): TextContext =>
    createTextContext(deps, call, {
      request,
      files,
      strict: call.apiKey.strict || plan.resolvedModel.model.strict,
      responseId,
      createdAt,
      operation,
      sentBody,
      framing: requestsArray(call) ? 'json-array' : undefined,
      keep: store !== undefined,
    });
  const context = contextOf(plan);
  try {
    return await serveFirst(deps, call, plan, { context, contextOf }, options);
  } finally {
    if (isLastUse && context.bodyMemory.isLarge) {
      // The charge may depend on an estimate of the body's tokens.
      call.request.charge?.bodyEnds();
      context.bodyMemory.free();
    }
  }
}

async function serveFirst(
  deps: GenerationDeps,
  call: TextCall,
  plan: TextPlan,
  { context, contextOf }: { context: TextContext; contextOf: (plan: TextPlan) => TextContext },
  { storesEarly = false, store, losses = [], alternative }: ServeOptions,
): Promise<unknown> {
  let current = context;
  const isStored = ({ exchange }: OpenedResponse) => store !== undefined || (context.keep && !exchange.isRelayed);
  const storeOpened = async (opened: OpenedResponse): Promise<void> => {
    const generation = opened.buffered?.generation ?? opened.feed?.writer.generation?.();
    const request = opened.exchange.isRelayed ? undefined : (await current.decoded()).generation;
    await Promise.all([store?.(opened, generation, request), rememberReasoning(deps.memory, current, generation)]);
  };
  const openPlan = async (own: AlternativePlan, at: TextContext): Promise<OpenedResponse> => {
    if (at.strict && own.losses.length > 0) throw strictModeError(lostFields(own.losses));
    return withLosses(await openFirst(deps, call, own.plan, at), own.losses);
  };
  const open = async (): Promise<OpenedResponse> => {
    const opened = await openPlan({ plan, losses }, context).catch(async (error: unknown) => {
      const other = mayContinueElsewhere(error, call) ? await alternative?.() : undefined;
      if (!other || (context.strict && other.losses.length > 0)) throw error;
      current = contextOf(other.plan);
      return openPlan(other, current);
    });
    const { feed, exchange } = opened;
    if (!storesEarly || !exchange.isRelayed) return opened;
    call.request.charge?.continuesUpstream();
    return feed ? { ...opened, feed: await storeEarly(feed, () => storeOpened(opened)) } : opened;
  };

  if (plan.request.stream) {
    const onEnd = (opened: OpenedResponse, outcome: Outcome): void => {
      meterText(deps, opened, outcome, call);
      logLosses(call, opened);
      // The vendor stores a relayed response even if its stream was cut short here.
      if (outcome.failed && opened.exchange.isRelayed && isStored(opened)) void storeOpened(opened);
    };
    await sendStream(deps, call, context, { open, onEnd, isStored, store: storeOpened });
    return call.reply;
  }
  const opened = await open();
  // Reasoning is only remembered for tool calls, which most responses do not have.
  const mayStore = store !== undefined || hasCalls(opened.buffered?.generation);
  if (mayStore && isStored(opened)) await storeOpened(opened);
  meterText(deps, opened, { usage: opened.buffered?.usage }, call);
  return sendBuffered(call.reply, opened);
}

/** Whether the upstream cannot serve the request, or no longer has the response that it continues. */
export function mayContinueElsewhere(error: unknown, { signal }: Pick<TextCall, 'signal'>): boolean {
  if (!(error instanceof GatewayError) || signal.aborted) return false;
  return error.status >= 500 || CAUSED_BY_UPSTREAM.has(error.code);
}

const CAUSED_BY_UPSTREAM: ReadonlySet<string> = new Set([
  'rate_limited',
  'provider_auth',
  'provider_quota',
  'previous_response_not_found',
]);

function withLosses(opened: OpenedResponse, losses: readonly Loss[]): OpenedResponse {
  const { exchange } = opened;
  return losses.length === 0
    ? opened
    : { ...opened, exchange: { ...exchange, losses: [...exchange.losses, ...losses] } };
}

async function openFirst(
  deps: GenerationDeps,
  call: TextCall,
  plan: TextPlan,
  context: TextContext,
): Promise<OpenedResponse> {
  const { operation } = context;
  const order = orderTargets(deps, call, plan);
  const attempt = (routed: RoutedTarget, trace?: AttemptTrace, signal?: AbortSignal) =>
    requestCompletion(deps, signal ? { ...context, signal } : context, routed, trace);
  const options = deps.fallback(call, operation);
  const hedge = hedgeText(deps, call, plan, operation);
  const opened = hedge
    ? await withHedging(order.targets, attempt, options, hedge)
    : await withFallback(order.targets, (routed, trace) => attempt(routed, trace), options);
  order.onServed(opened.routed);
  call.request.served = {
    ...servedFields(servedOf(opened)),
    usage: () => opened.feed?.writer.progress.usage ?? opened.buffered?.usage,
  };
  return opened;
}

/** Adds the losses of a streamed response to the request's log line. */
function logLosses({ request: { served } }: TextCall, { feed, exchange }: OpenedResponse): void {
  const losses = feed?.writer.progress.losses ?? [];
  if (served && losses.length > 0) served.dropped = loggedFields([...exchange.losses, ...losses]);
}

function sendBuffered(reply: FastifyReply, opened: OpenedResponse): FastifyReply {
  void reply.headers(servedHeaders(servedOf(opened))).type('application/json; charset=utf-8');
  return reply.send(opened.buffered?.body);
}

/** Gemini streams a JSON array unless the client requests events with `alt=sse`. */
function requestsArray({ endpoint, request }: TextCall): boolean {
  if (endpoint.verb !== 'streamGenerateContent') return false;
  return (request.query as { alt?: unknown }).alt !== 'sse'; // The cast is safe because it allows any query value.
}
