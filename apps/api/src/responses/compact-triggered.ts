import {
  type Compaction,
  compactionResponse,
  compactionStream,
  inputItems,
  type TextRequest,
  withBody,
} from '@sluice/protocols';
import { openEventStream } from '../http/event-stream.ts';
import { gatewayErrorOf } from '../http/gateway-error-of.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { newResponseId } from './store/stored-response.ts';
import type { TextPlan } from '../generation/plan-text.ts';
import { recordServed } from '../routing/record-served.ts';
import { orderTargets } from '../generation/order-targets.ts';
import { summarize } from './compaction/summarize.ts';
import type { TextCall, GenerationDeps } from '../generation/text-services.ts';
import { createTextContext } from '../generation/text-context.ts';

/** Whether a request asks for a compaction instead of an answer (Codex, `remote_compaction_v2`). */
export function isCompactionTriggered(request: TextRequest): boolean {
  if (!request.mentions('compaction_trigger')) return false;
  const input = request.member('input');
  return Array.isArray(input) && isTrigger(input.at(-1));
}

function isTrigger(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'type' in item && item.type === 'compaction_trigger';
}

/**
 * Answers a request that ends in a compaction trigger: with exactly one compaction item, in one piece or as a stream, as
 * the client asked. Codex gives up on anything else.
 * @throws GatewayError while nothing was sent
 */
export async function compactTriggered(deps: GenerationDeps, call: TextCall, plan: TextPlan): Promise<unknown> {
  const { stream } = plan.request;
  const body = plan.request.body();
  const input = inputItems(body, deps.newId).filter((item) => !isTrigger(item));
  const textContext = createTextContext(deps, {
    request: withBody(plan.request, { ...body, input }),
    owner: call.apiKey.name,
    strict: false,
    headers: call.request.headers,
    charge: call.request.charge,
    signal: call.signal,
    responseId: newResponseId(),
  });
  const context = { ...textContext.response, request: (await textContext.params()).generation, body };
  const order = orderTargets(deps, call, plan);
  const compact = async (): Promise<{ compaction: Compaction; headers: Record<string, string> }> => {
    const attempt = (routed: RoutedTarget) =>
      summarize(deps, textContext, routed).then((summary) => ({ ...summary, routed }));
    const { routed, encryptedContent, ...served } = await withFallback(
      order.targets,
      attempt,
      deps.fallback(textContext.signal),
    );
    order.served(routed);
    const headers = recordServed(deps, call, { ...served, relayed: false });
    const { usage = { inputTokens: 0, outputTokens: 0 } } = served;
    return { compaction: { encryptedContent: encryptedContent, usage }, headers };
  };
  if (!stream) {
    const { compaction, headers } = await compact();
    return call.reply.headers(headers).send(compactionResponse(compaction, context));
  }
  const written = compactionStream(context);
  const client = openEventStream(call.reply, {
    contentType: 'text/event-stream; charset=utf-8',
    keepAliveMs: deps.keepAliveMs,
    keepAlive: () => written.keepAlive(),
  });
  try {
    const { compaction, headers } = await compact();
    client.begin(headers);
    client.write(written.finish(compaction), 'utf8');
  } catch (error) {
    if (!client.isBegun) {
      client.cancel();
      throw error;
    }
    client.write(written.fail(gatewayErrorOf(error)), 'utf8');
  }
  client.end();
  return call.reply;
}
