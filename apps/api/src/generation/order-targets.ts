import { jsonObjectEnd } from '@sluice/protocols';
import { conversationKey } from '../routing/conversation-key.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import type { TextPlan } from './plan-text.ts';
import type { TextCall, GenerationDeps } from './text-services.ts';

/** Where a request is tried. */
export interface TargetOrder {
  targets: readonly RoutedTarget[];
  /** Notes who has served, so that the conversation stays there. */
  served: (routed: RoutedTarget) => void;
}

/** Where to try, in order: the upstream that served the conversation before goes first. */
export function orderTargets(
  { affinity }: Pick<GenerationDeps, 'affinity'>,
  { apiKey, request: { headers } }: Pick<TextCall, 'apiKey' | 'request'>,
  { targets, request }: Pick<TextPlan, 'targets' | 'request'>,
): TargetOrder {
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
    targets: affinity.order(targets, key),
    served: ({ target }) => affinity.remember(targets, key, target.upstream),
  };
}

/** The JSON of the first message, which all turns of a conversation share. */
function firstMessage({ skeleton: { text }, members }: TextPlan['request']): string | undefined {
  const list = members.get('messages') ?? members.get('contents') ?? members.get('input') ?? members.get('prompt');
  if (!list) return undefined;
  if (text[list.start] !== '[') return text.slice(list.start, list.end);
  const end = jsonObjectEnd(text, list.start + 1);
  return end === undefined ? undefined : text.slice(list.start + 1, end + 1);
}
