import type { Generation, GenerationRequest, TextOperation } from '@sluice/canonical';
import { jsonObjectEnd } from '@sluice/protocols';
import { conversationKey } from '../routing/conversation-key.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { type Outcome, sendStream, sendWhole } from './answer-client.ts';
import { meterText } from './meter-text.ts';
import { lostFields, type OpenedAnswer, openAnswer } from './open-answer.ts';
import type { TextPlan } from './plan-text.ts';
import { rememberReasoning } from './remember-reasoning.ts';
import type { TextCall, TextRoom } from './text-room.ts';
import { createTurn } from './turn.ts';

/** What a protocol with state does around an answer. */
export interface ServeOptions {
  /** The answer's id where we own it. */
  answerId?: string;
  /** Default `generate`. */
  operation?: TextOperation;
  /** The body as the client sent it, where the plan's has been resolved since. */
  sentBody?: () => Record<string, unknown>;
  /**
   * Called with an answer before it, or its last byte, goes out; must not throw.
   * @param generation absent: relayed
   * @param request the decoded request, when the answer was translated
   */
  keep?: (
    opened: OpenedAnswer,
    generation: Generation | undefined,
    request: GenerationRequest | undefined,
  ) => Promise<void>;
}

/**
 * Serves a request: the first upstream that answers has it, and the client has its answer as it comes.
 * @throws GatewayError when nothing was sent yet
 */
export async function serveText(
  room: TextRoom,
  call: TextCall,
  plan: TextPlan,
  { answerId, operation, sentBody, keep }: ServeOptions = {},
): Promise<unknown> {
  const { request, found } = plan;
  const { signal } = call;
  const turn = createTurn(room, {
    request,
    owner: call.apiKey.name,
    strict: call.apiKey.strict || found.model.strict,
    headers: call.request.headers,
    signal,
    keep: keep !== undefined,
    ...(answerId !== undefined && { answerId }),
    ...(operation && { operation }),
    ...(sentBody && { sentBody }),
    ...(wantsArray(call) && { framing: 'json-array' as const }),
  });
  const route = routeOf(room, call, plan);
  const open = async (): Promise<OpenedAnswer> => {
    const attempt = (routed: RoutedTarget) => openAnswer(room, turn, routed);
    const opened = await withFallback(route.targets, attempt, { breakers: room.breakers, signal });
    route.served(opened.routed);
    call.request.served = servedBy(opened);
    return opened;
  };
  // Chat clients have their reasoning remembered; what is relayed, they carry themselves.
  const keeps = ({ exchange }: OpenedAnswer) => keep !== undefined || (turn.keep && !exchange.isRelayed);
  const keepAnswer = async (opened: OpenedAnswer): Promise<void> => {
    const generation = opened.whole?.generation ?? opened.feed?.writer.generation?.();
    const wish = opened.exchange.isRelayed ? undefined : await turn.wish();
    await Promise.all([keep?.(opened, generation, wish?.generation), rememberReasoning(room, turn, generation)]);
  };

  if (request.stream) {
    const over = (opened: OpenedAnswer, outcome: Outcome) => meterText(room, opened, outcome, turn);
    await sendStream(room, call, turn, { open, over, keeps, keep: keepAnswer });
    return call.reply;
  }
  const opened = await open();
  if (keeps(opened)) await keepAnswer(opened);
  meterText(room, opened, opened.whole?.usage ? { usage: opened.whole.usage } : {}, turn);
  return sendWhole(call.reply, opened);
}

/** Gemini streams a JSON array unless `alt=sse` asks for events. */
function wantsArray({ endpoint, request }: TextCall): boolean {
  if (endpoint.verb !== 'streamGenerateContent') return false;
  return (request.query as { alt?: unknown }).alt !== 'sse'; // all that a query can hold
}

interface Route {
  targets: readonly RoutedTarget[];
  served: (routed: RoutedTarget) => void;
}

/** Where to try, in order: the upstream that served the conversation before goes first. */
function routeOf({ stickiness }: TextRoom, { apiKey, request: { headers } }: TextCall, plan: TextPlan): Route {
  const { targets, request } = plan;
  if (targets.length < 2) return { targets, served: () => undefined };
  const first = firstMessage(request);
  const key = conversationKey({
    apiKey: apiKey.name,
    model: request.model,
    body: { prompt_cache_key: request.member('prompt_cache_key'), metadata: request.member('metadata') },
    headers,
    ...(first !== undefined && { firstMessage: first }),
  });
  return {
    targets: stickiness.order(targets, key),
    served: ({ target }) => stickiness.remember(targets, key, target.upstream),
  };
}

/** The JSON of the first message, which all turns of a conversation share. */
function firstMessage({ skeleton: { text }, members }: TextPlan['request']): string | undefined {
  const list = members.get('messages') ?? members.get('contents') ?? members.get('input');
  if (!list) return undefined;
  if (text[list.start] !== '[') return text.slice(list.start, list.end);
  const end = jsonObjectEnd(text, list.start + 1);
  return end === undefined ? undefined : text.slice(list.start + 1, end + 1);
}

/** What the request's log line says of its upstream. */
function servedBy({ routed, exchange, feed, whole }: OpenedAnswer) {
  return {
    upstream: routed.target.upstream,
    upstream_model: routed.target.model,
    relayed: exchange.isRelayed,
    usage: () => feed?.writer.progress.usage ?? whole?.usage,
    ...(exchange.losses.length > 0 && { dropped: lostFields(exchange.losses) }),
  };
}
