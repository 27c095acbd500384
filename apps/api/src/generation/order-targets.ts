import { hash32 } from '@sluice/limits';
import { carriesToken, jsonObjectEnd } from '@sluice/protocols';
import { conversationKey } from '../routing/conversation-key.ts';
import { orderRoutes } from '../routing/pools/order-routes.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import type { TextPlan } from './plan-text.ts';

export interface TargetOrder {
  targets: readonly RoutedTarget[];
  onServed: (routed: RoutedTarget) => void;
}

/** Returns a request's targets in the order in which to try them. See `Affinity`. */
export function orderTargets(
  { affinity, fallback, tokenCodec }: Pick<GenerationDeps, 'affinity' | 'fallback' | 'tokenCodec'>,
  call: Pick<TextCall, 'apiKey' | 'request' | 'reply' | 'signal'>,
  { targets: all, request, resolvedModel }: Pick<TextPlan, 'targets' | 'request' | 'resolvedModel'>,
): TargetOrder {
  if (all.length < 2) return { targets: all, onServed: () => undefined };
  const key = conversationKey({
    apiKey: call.apiKey.name,
    model: request.model,
    member: (name) => request.member(name),
    headers: call.request.headers,
    opening: () => openingOf(request),
  });
  const { policy = 'priority' } = resolvedModel.model;
  const targets = orderRoutes(all, policy, () => hash32(key));
  const isSticky = policy === 'least_busy' || policy === 'fastest';
  const isHealthy = ({ target, pooled }: RoutedTarget) =>
    pooled?.isResting !== true && fallback(call).breakers.isHealthy(target.upstream);
  const dependsOn = ({ target }: RoutedTarget) => mayDependOn(request, target, tokenCodec);
  return {
    targets: affinity.order(targets, key, { isHealthy, dependsOn, isSticky }),
    onServed: (served) => affinity.remember(targets, key, served, isSticky),
  };
}

function mayDependOn(
  request: TextPlan['request'],
  target: RoutedTarget['target'],
  tokenCodec: GenerationDeps['tokenCodec'],
): boolean {
  // The gateway stores the reasoning behind a chat client's tool calls. Only the account that created it can read it.
  const isStoredReasoning = request.protocol.name === 'chat-completions' && target.protocol !== 'chat-completions';
  if (isStoredReasoning && request.mentions('tool_call_id')) return true;
  return carriesToken(request, target, tokenCodec);
}

const SYSTEM_MEMBERS = ['system', 'instructions', 'systemInstruction', 'system_instruction'];
const SYSTEM_ROLE = /"role"\s*:\s*"(?:system|developer)"/;

/** Returns the JSON of the system prompt and of the first user message. */
function openingOf({ skeleton: { text }, members }: TextPlan['request']): string[] {
  const opening: string[] = [];
  for (const name of SYSTEM_MEMBERS) {
    const member = members.get(name);
    if (member) opening.push(text.slice(member.start, member.end));
  }
  const list = members.get('messages') ?? members.get('contents') ?? members.get('input') ?? members.get('prompt');
  if (!list) return opening;
  if (text[list.start] !== '[') return [...opening, text.slice(list.start, list.end)];
  for (let start = list.start + 1; ;) {
    const end = jsonObjectEnd(text, start);
    if (end === undefined) return opening;
    const message = text.slice(start, end + 1);
    opening.push(message);
    if (!SYSTEM_ROLE.test(message)) return opening;
    const comma = text.indexOf(',', end);
    if (comma === -1 || comma >= list.end) return opening;
    start = comma + 1;
  }
}
