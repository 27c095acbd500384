import { jsonObjectEnd } from '@sluice/protocols';
import type { Affinity } from '../routing/affinity.ts';
import { conversationKey } from '../routing/conversation-key.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import type { TextCall } from './generation-deps.ts';
import type { TextPlan } from './plan-text.ts';

export interface TargetOrder {
  targets: readonly RoutedTarget[];
  onServed: (routed: RoutedTarget) => void;
}

export function orderTargets(
  affinity: Affinity,
  { apiKey, request: { headers } }: Pick<TextCall, 'apiKey' | 'request'>,
  { targets, request }: Pick<TextPlan, 'targets' | 'request'>,
): TargetOrder {
  if (targets.length < 2) return { targets, onServed: () => undefined };
  const key = conversationKey({
    apiKey: apiKey.name,
    model: request.model,
    body: { prompt_cache_key: request.member('prompt_cache_key'), metadata: request.member('metadata') },
    headers,
    firstMessage: firstMessage(request),
  });
  return {
    targets: affinity.order(targets, key),
    onServed: ({ target }) => affinity.remember(targets, key, target.upstream),
  };
}

/** The JSON of the first message, which is the same in all turns of a conversation. */
function firstMessage({ skeleton: { text }, members }: TextPlan['request']): string | undefined {
  const list = members.get('messages') ?? members.get('contents') ?? members.get('input') ?? members.get('prompt');
  if (!list) return undefined;
  if (text[list.start] !== '[') return text.slice(list.start, list.end);
  const end = jsonObjectEnd(text, list.start + 1);
  return end === undefined ? undefined : text.slice(list.start + 1, end + 1);
}
