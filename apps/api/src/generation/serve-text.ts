import type { Generation, GenerationRequest, TextOperation } from '@sluice/canonical';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { type Outcome, sendStream, sendBuffered } from './respond-to-client.ts';
import { storeEarly } from './store-early.ts';
import { meterText } from './meter-text.ts';
import { lostFields, type OpenedResponse, requestCompletion } from './request-completion.ts';
import { orderTargets } from './order-targets.ts';
import type { TextPlan } from './plan-text.ts';
import { rememberReasoning } from './reasoning/remember-reasoning.ts';
import type { TextCall, GenerationDeps } from './text-services.ts';
import { createTextContext } from './text-context.ts';

/** What a protocol with state does around an answer. */
export interface ServeOptions {
  /** The answer's id where we own it. */
  responseId?: string;
  /** Default `generate`. */
  operation?: TextOperation;
  /** The body as the client sent it, where the plan's has been resolved since. */
  sentBody?: () => Record<string, unknown>;
  /** Whether a relayed stream is kept when its id is known, too: it may be asked for while it is being made. */
  storesEarly?: boolean;
  /**
   * Called with an answer before it, or its last byte, goes out, and with a relayed one that broke off; must not throw.
   * @param generation absent: relayed
   * @param request the decoded request, when the answer was translated
   */
  keep?: (
    opened: OpenedResponse,
    generation: Generation | undefined,
    request: GenerationRequest | undefined,
  ) => Promise<void>;
}

/**
 * Serves a request: the first upstream that answers has it, and the client has its answer as it comes.
 * @throws GatewayError when nothing was sent yet
 */
export async function serveText(
  deps: GenerationDeps,
  call: TextCall,
  plan: TextPlan,
  { responseId, operation, sentBody, storesEarly = false, keep }: ServeOptions = {},
): Promise<unknown> {
  const { request, found } = plan;
  const { signal } = call;
  const context = createTextContext(deps, {
    request,
    owner: call.apiKey.name,
    strict: call.apiKey.strict || found.model.strict,
    headers: call.request.headers,
    charge: call.request.charge,
    signal,
    keep: keep !== undefined,
    ...(responseId !== undefined && { responseId }),
    ...(operation && { operation }),
    ...(sentBody && { sentBody }),
    ...(wantsArray(call) && { framing: 'json-array' as const }),
  });
  const order = orderTargets(deps, call, plan);
  const open = async (): Promise<OpenedResponse> => {
    const attempt = (routed: RoutedTarget) => requestCompletion(deps, context, routed);
    const opened = await withFallback(order.targets, attempt, deps.fallback(signal));
    order.served(opened.routed);
    call.request.served = servedBy(opened);
    const { feed, exchange } = opened;
    if (!storesEarly || !exchange.isRelayed) return opened;
    call.request.charge?.continuesUpstream();
    if (!feed) return opened;
    return { ...opened, feed: await storeEarly(feed, () => keepAnswer(opened)) };
  };
  // Chat clients have their reasoning remembered; what is relayed, they carry themselves.
  const keeps = ({ exchange }: OpenedResponse) => keep !== undefined || (context.keep && !exchange.isRelayed);
  const keepAnswer = async (opened: OpenedResponse): Promise<void> => {
    const generation = opened.whole?.generation ?? opened.feed?.writer.generation?.();
    const params = opened.exchange.isRelayed ? undefined : await context.params();
    await Promise.all([keep?.(opened, generation, params?.generation), rememberReasoning(deps, context, generation)]);
  };

  if (request.stream) {
    const over = (opened: OpenedResponse, outcome: Outcome): void => {
      meterText(deps, opened, outcome, context);
      // The vendor has it, however it ended here.
      if (outcome.failed && opened.exchange.isRelayed && keeps(opened)) void keepAnswer(opened);
    };
    await sendStream(deps, call, context, { open, over, keeps, keep: keepAnswer });
    return call.reply;
  }
  const opened = await open();
  if (keeps(opened)) await keepAnswer(opened);
  meterText(deps, opened, opened.whole?.usage ? { usage: opened.whole.usage } : {}, context);
  return sendBuffered(call.reply, opened);
}

/** Gemini streams a JSON array unless `alt=sse` asks for events. */
function wantsArray({ endpoint, request }: TextCall): boolean {
  if (endpoint.verb !== 'streamGenerateContent') return false;
  return (request.query as { alt?: unknown }).alt !== 'sse'; // all that a query can hold
}

/** What the request's log line says of its upstream. */
function servedBy({ routed, exchange, feed, whole }: OpenedResponse) {
  return {
    upstream: routed.target.upstream,
    upstream_model: routed.target.model,
    relayed: exchange.isRelayed,
    usage: () => feed?.writer.progress.usage ?? whole?.usage,
    ...(exchange.losses.length > 0 && { dropped: lostFields(exchange.losses) }),
  };
}
