import {
  type Compaction,
  compactionResponse,
  compactionStream,
  inputItems,
  type TextRequest,
  withBody,
} from '@sluice/protocols';
import type { AttemptTrace } from '@sluice/telemetry';
import type { TextCall } from '../generation/generation-deps.ts';
import { orderTargets } from '../generation/order-targets.ts';
import type { TextPlan } from '../generation/plan-text.ts';
import { createTextContext } from '../generation/text-context.ts';
import { openEventStream } from '../http/event-stream.ts';
import { gatewayErrorOf } from '../http/gateway-error-of.ts';
import { meterUsage } from '../metering/meter-usage.ts';
import { recordServed } from '../routing/record-served.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { summarize } from './compaction/summarize.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import { newResponseId } from '@sluice/responses';

/** Whether the request triggers a compaction instead of a response (Codex, `remote_compaction_v2`). */
export function isCompactionTriggered(request: TextRequest): boolean {
  if (!request.mentions('compaction_trigger')) return false;
  const input = request.member('input');
  return Array.isArray(input) && isTrigger(input.at(-1));
}

function isTrigger(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'type' in item && item.type === 'compaction_trigger';
}

/** Codex accepts exactly one compaction item, buffered or streamed. @throws GatewayError if nothing was sent yet */
export async function compactTriggered(deps: ResponsesDeps, call: TextCall, plan: TextPlan): Promise<unknown> {
  const body = plan.request.body();
  const input = inputItems(body, deps.newId).filter((item) => !isTrigger(item));
  const request = withBody(plan.request, { ...body, input });
  const context = createTextContext(deps, call, { request, strict: false, responseId: newResponseId() });
  const order = orderTargets(deps, call, plan);
  const compact = async (): Promise<Compacted> => {
    const attempt = (routed: RoutedTarget, trace?: AttemptTrace) =>
      summarize(deps, context, routed, trace).then((summary) => ({ ...summary, routed }));
    const { routed, encryptedContent, ...served } = await withFallback(order.targets, attempt, deps.fallback(call));
    order.onServed(routed);
    meterUsage(deps.metrics, call.request, served.target.upstream, served.usage);
    const headers = recordServed(call.request, { ...served, relayed: false });
    const { usage = { inputTokens: 0, outputTokens: 0 } } = served;
    return { compaction: { encryptedContent, usage }, headers };
  };
  const responseContext = { ...context.response, request: (await context.decoded()).generation, body };
  if (plan.request.stream) return streamCompaction(deps.keepAliveMs, call, responseContext, compact);
  const { compaction, headers } = await compact();
  return call.reply.headers(headers).send(compactionResponse(compaction, responseContext));
}

interface Compacted {
  compaction: Compaction;
  headers: Record<string, string>;
}

async function streamCompaction(
  keepAliveMs: number,
  { reply }: TextCall,
  context: Parameters<typeof compactionStream>[0],
  compact: () => Promise<Compacted>,
): Promise<unknown> {
  const encoder = compactionStream(context);
  const stream = openEventStream(reply, {
    contentType: 'text/event-stream; charset=utf-8',
    keepAliveMs,
    keepAlive: () => encoder.keepAlive(),
  });
  try {
    const { compaction, headers } = await compact();
    stream.begin(headers);
    stream.write(encoder.finish(compaction), 'utf8');
  } catch (error) {
    if (!stream.hasStarted) {
      stream.cancel();
      throw error;
    }
    const shown = gatewayErrorOf(error);
    reply.request.errorCode = shown.code;
    stream.write(encoder.fail(shown), 'utf8');
  }
  stream.end();
  return reply;
}
