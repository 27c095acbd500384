import { GatewayError, type Loss, type UpstreamTextResponse, type TextTarget } from '@sluice/canonical';
import { parseBody, readTextRequest, type TextRequest } from '@sluice/protocols';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { estimateTokens } from '../metering/estimate-tokens.ts';
import { callUpstream, expectSuccess } from './request-completion.ts';
import { recordServed } from '../routing/record-served.ts';
import { orderTargets } from './order-targets.ts';
import { bodyOf, expectVersion, pathOf, planRequest } from './plan-text.ts';
import { resolveState } from '../responses/state/resolve-state.ts';
import type { TextCall, GenerationDeps } from './text-services.ts';
import { createTextContext, type TextContext } from './text-context.ts';
import { failedAttempt } from '../routing/upstream-failure.ts';
import { refuseVendorReferences } from './vendor-references.ts';

const RESPONSE_BYTES = 1024 * 1024;

/**
 * Tells how many tokens a request has: the upstream counts where its protocol can, else it is estimated.
 * @throws GatewayError
 */
export async function countTokens(deps: GenerationDeps, call: TextCall): Promise<unknown> {
  const { endpoint, request, apiKey, reply, signal } = call;
  const { protocol } = endpoint;
  const counting = protocol.tokenCounting;
  if (!counting) throw new GatewayError('not_found', 'This protocol cannot count tokens.');
  expectVersion(protocol, request.headers);
  const asked = parseBody(bodyOf(call));
  const bytes = Buffer.from(JSON.stringify(counting.decodeRequest(asked)));
  const planned = planRequest(deps, call, readTextRequest(protocol, bytes, pathOf(call)));
  if (!apiKey.mayUseVendorReferences) refuseVendorReferences(planned.request);
  const plan = protocol.name === 'responses' ? (await resolveState(deps, apiKey, planned)).plan : planned;
  const relayed = plan.request === planned.request ? asked : resolvedBody(asked, plan.request);
  const context = createTextContext(deps, {
    request: plan.request,
    owner: apiKey.name,
    strict: false,
    headers: request.headers,
    charge: request.charge,
    signal,
  });
  const count = (routed: RoutedTarget) => countAt(deps, context, relayed, routed);
  // Where the conversation is; that it was counted somewhere does not move it.
  const { targets } = orderTargets(deps, call, plan);
  const { tokens, ...served } = await withFallback(targets, count, deps.fallback(signal));
  return reply.headers(recordServed(deps, call, served)).send(counting.encodeAnswer(tokens));
}

/** A count, and whose it is. */
interface Count {
  tokens: number;
  target: TextTarget;
  relayed: boolean;
  losses: readonly Loss[];
}

async function countAt(
  deps: GenerationDeps,
  context: TextContext,
  asked: Record<string, unknown>,
  routed: RoutedTarget,
): Promise<Count> {
  const { target } = routed;
  const upstream = deps.protocols[target.protocol];
  const relayed = context.request.protocol.name === upstream.name;
  const losses: Loss[] = relayed ? [] : [...(await context.params()).losses];
  const counted = (tokens: number): Count => ({ tokens, target, relayed, losses });
  const estimate = async () => counted(estimateTokens((await context.params()).generation));
  if (!upstream.tokenCounting) return estimate();
  const encode = async () => {
    const { generation } = await context.params();
    return upstream.encodeRequest(generation, target, (loss) => losses.push(loss));
  };
  const body = relayed ? renamed(asked, target.model) : upstream.tokenCounting.encodeRequest(await encode(), target);
  const response = await callUpstream(routed, JSON.stringify(body), context, 'count-tokens');
  // Vendors of a protocol need not have all of its calls.
  if (response.status === 404 || response.status === 405) {
    response.body.abort();
    return estimate();
  }
  await expectSuccess(routed, response, upstream, relayed);
  const tokens = upstream.tokenCounting.decodeAnswer(await readCount(response));
  return tokens === undefined ? estimate() : counted(tokens);
}

/** @returns undefined for what is no JSON */
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

/** A counting body with what the client refers to in it; what is for counting alone stays. */
function resolvedBody(asked: Record<string, unknown>, resolved: TextRequest): Record<string, unknown> {
  const { previous_response_id: _resolved, ...rest } = asked;
  return { ...rest, ...resolved.body() };
}

/** A counting body with the model's name as the upstream knows it, wherever it stands. */
function renamed(asked: Record<string, unknown>, model: string): Record<string, unknown> {
  const own = { ...asked, ...('model' in asked && { model }) };
  const { generateContentRequest: camel, generate_content_request: snake, contents: _either, ...rest } = asked;
  const nested = camel ?? snake;
  if (typeof nested !== 'object' || nested === null) return own;
  // One of the three is counted: the one that was read, and no other.
  return { ...rest, generateContentRequest: { ...nested, model: `models/${model}` } };
}
