import { GatewayError } from '@sluice/canonical';
import type { AttemptTrace } from '@sluice/telemetry';
import { withHedging } from '../routing/hedging/hedge.ts';
import { servedFields } from '../routing/record-served.ts';
import { lostFields } from '../routing/served-headers.ts';
import { strictModeError } from '../routing/strict-mode-error.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import { hedgeText } from './hedge-text.ts';
import { orderTargets } from './order-targets.ts';
import type { AlternativePlan, TextPlan } from './plan-text.ts';
import { type OpenedResponse, requestCompletion, servedOf } from './request-completion.ts';
import type { TextContext } from './text-context.ts';

/**
 * Opens the response of the first of a plan's upstreams that responds.
 * @throws GatewayError of the last upstream; `unsupported_parameter` in strict mode if the plan itself has losses
 */
export async function openPlan(
  deps: GenerationDeps,
  call: TextCall,
  { plan, losses }: AlternativePlan,
  context: TextContext,
): Promise<OpenedResponse> {
  if (context.strict && losses.length > 0) throw strictModeError(lostFields(losses));
  const opened = await openFirst(deps, call, plan, context);
  if (losses.length === 0) return opened;
  const { exchange } = opened;
  return { ...opened, exchange: { ...exchange, losses: [...exchange.losses, ...losses] } };
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
