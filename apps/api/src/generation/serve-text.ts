import type { Generation, GenerationRequest, TextOperation } from '@sluice/canonical';
import type { AttemptTrace } from '@sluice/telemetry';
import type { FastifyReply } from 'fastify';
import { servedFields } from '../routing/record-served.ts';
import { loggedFields, servedHeaders } from '../routing/served-headers.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import { meterText } from './meter-text.ts';
import { orderTargets } from './order-targets.ts';
import type { TextPlan } from './plan-text.ts';
import { hasCalls, rememberReasoning } from './reasoning/remember-reasoning.ts';
import { type OpenedResponse, requestCompletion, servedOf } from './request-completion.ts';
import { type Outcome, sendStream } from './send-stream.ts';
import { storeEarly } from './store-early.ts';
import { createTextContext, type TextContext } from './text-context.ts';

export interface ServeOptions {
  /** Whether the request is not read again after it has been served, so that its memory can be freed. */
  isLastUse?: boolean;
  responseId?: string;
  operation?: TextOperation;
  /** The client's body before its references were resolved. */
  sentBody?: () => Record<string, unknown>;
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
  const { responseId, operation, sentBody, store, isLastUse = false } = options;
  const context = createTextContext(deps, call, {
    request: plan.request,
    strict: call.apiKey.strict || plan.resolvedModel.model.strict,
    responseId,
    operation,
    sentBody,
    framing: requestsArray(call) ? 'json-array' : undefined,
    keep: store !== undefined,
  });
  try {
    return await serveFirst(deps, call, plan, context, options);
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
  context: TextContext,
  { storesEarly = false, store }: ServeOptions,
): Promise<unknown> {
  const isStored = ({ exchange }: OpenedResponse) => store !== undefined || (context.keep && !exchange.isRelayed);
  const storeOpened = async (opened: OpenedResponse): Promise<void> => {
    const generation = opened.buffered?.generation ?? opened.feed?.writer.generation?.();
    const request = opened.exchange.isRelayed ? undefined : (await context.decoded()).generation;
    await Promise.all([store?.(opened, generation, request), rememberReasoning(deps.memory, context, generation)]);
  };
  const open = async (): Promise<OpenedResponse> => {
    const opened = await openFirst(deps, call, plan, context);
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

async function openFirst(
  deps: GenerationDeps,
  call: TextCall,
  plan: TextPlan,
  context: TextContext,
): Promise<OpenedResponse> {
  const { operation } = context;
  const order = orderTargets(deps, call, plan);
  const attempt = (routed: RoutedTarget, trace?: AttemptTrace) => requestCompletion(deps, context, routed, trace);
  const opened = await withFallback(order.targets, attempt, deps.fallback(call, operation));
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
