import { GatewayError, type Loss, type TextTarget, type UpstreamTextResponse } from '@sluice/canonical';
import { parseBody, readTextRequest, type TextRequest } from '@sluice/protocols';
import type { AttemptTrace } from '@sluice/telemetry';
import { estimateTokens } from '../metering/estimate-tokens.ts';
import { recordServed } from '../routing/record-served.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { failedAttempt } from '../routing/upstream-failure.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { callUpstream, expectSuccess, relayedHeaders } from './call-upstream.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import { orderTargets } from './order-targets.ts';
import { bodyOf, expectVersion, pathOf, planRequest, type TextPlan } from './plan-text.ts';
import { resolveFiles } from './references/resolve-files.ts';
import { createTextContext, type TextContext } from './text-context.ts';
import { UPSTREAM_PROTOCOLS } from './text-protocols.ts';
import { refuseVendorReferences } from './references/vendor-references.ts';

const RESPONSE_BYTES = 1024 * 1024;

/**
 * Counts tokens at the upstream if its protocol supports token counting. Otherwise, the count is estimated.
 * @param resolve replaces references to stored state
 */
export async function countTokens(
  deps: GenerationDeps,
  call: TextCall,
  resolve: (plan: TextPlan) => TextPlan | Promise<TextPlan> = (plan) => plan,
): Promise<unknown> {
  const { endpoint, request, apiKey, reply } = call;
  const { protocol } = endpoint;
  const counting = protocol.tokenCounting;
  if (!counting)
    throw new GatewayError('not_found', 'This protocol does not support token counting. Use another protocol.');
  expectVersion(protocol, request.headers);
  const sent = parseBody(bodyOf(call));
  const bytes = Buffer.from(JSON.stringify(counting.decodeRequest(sent)));
  const planned = planRequest(deps, call, readTextRequest(protocol, bytes, pathOf(call)));
  if (!apiKey.mayUseVendorReferences) refuseVendorReferences(planned.request);
  const plan = await resolveFiles(deps, call, await resolve(planned), false);
  const relayed = plan.request === planned.request ? sent : resolvedBody(sent, plan.request);
  const context = createTextContext(deps, call, { request: plan.request, strict: false });
  const count = (routed: RoutedTarget, trace?: AttemptTrace) => countAt(context, relayed, routed, trace);
  // The upstream that serves the conversation is called first. A count at another upstream does not move the
  // conversation.
  const { targets } = orderTargets(deps, call, plan);
  const { tokens, ...served } = await withFallback(targets, count, deps.fallback(call, 'count-tokens'));
  return reply.headers(recordServed(request, served)).send(counting.encodeCount(tokens));
}

interface Count {
  tokens: number;
  target: TextTarget;
  relayed: boolean;
  losses: readonly Loss[];
}

async function countAt(
  context: TextContext,
  sent: Record<string, unknown>,
  routed: RoutedTarget,
  trace: AttemptTrace | undefined,
): Promise<Count> {
  const { target } = routed;
  const upstream = UPSTREAM_PROTOCOLS[target.protocol];
  const relayed = context.request.protocol.name === upstream.name;
  const losses: Loss[] = relayed
    ? [...relayedHeaders(context.request, context.headers, target).losses]
    : [...(await context.decoded()).losses];
  const countOf = (tokens: number): Count => ({ tokens, target, relayed, losses });
  const estimate = async () => countOf(estimateTokens((await context.decoded()).generation));
  if (!upstream.tokenCounting) return estimate();
  const encode = async () => {
    const { generation } = await context.decoded();
    return upstream.encodeRequest(generation, target, (loss) => losses.push(loss));
  };
  const body = relayed ? withModel(sent, target.model) : upstream.tokenCounting.encodeRequest(await encode(), target);
  const response = await callUpstream(routed, JSON.stringify(body), context, 'count-tokens', trace);
  if (response.status === 404 || response.status === 405) {
    response.body.abort();
    return estimate();
  }
  await expectSuccess(routed, response, upstream, relayed);
  const tokens = upstream.tokenCounting.decodeCount(await readCount(response));
  return tokens === undefined ? estimate() : countOf(tokens);
}

async function readCount({ body }: UpstreamTextResponse): Promise<unknown> {
  let text: string;
  try {
    text = Buffer.from(await body.collect(RESPONSE_BYTES)).toString();
  } catch (error) {
    throw failedAttempt(error);
  }
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function resolvedBody(sent: Record<string, unknown>, resolved: TextRequest): Record<string, unknown> {
  const { previous_response_id: _resolved, ...rest } = sent;
  return { ...rest, ...resolved.body() };
}

function withModel(sent: Record<string, unknown>, model: string): Record<string, unknown> {
  const own = { ...sent, ...('model' in sent && { model }) };
  const { generateContentRequest: camel, generate_content_request: snake, contents: _unused, ...rest } = sent;
  const nested = camel ?? snake;
  if (typeof nested !== 'object' || nested === null) return own;
  // Sends only one of the three conversation fields: the one that was decoded.
  return { ...rest, generateContentRequest: { ...nested, model: `models/${model}` } };
}
