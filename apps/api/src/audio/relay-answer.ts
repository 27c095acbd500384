import type { AnswerBody, Loss, Usage } from '@sluice/canonical';
import type { EventWatcher } from '@sluice/protocols';
import { noteDirect } from '../direct/ask-direct.ts';
import type { DirectClientCall, DirectRoom } from '../direct/direct-room.ts';
import { classifyTold } from '../routing/attempt-error.ts';
import { failureTrace } from '../text/failure-trace.ts';
import { meterUsage } from '../text/meter-text.ts';
import { sendBody, type SentBody } from './send-body.ts';

/** Who answers. */
interface Given {
  target: { upstream: string; model: string };
  losses: readonly Loss[];
}

/** How an answer is written. */
interface Relay extends Pick<SentBody, 'contentType' | 'spell' | 'last'> {
  body: AnswerBody;
  /** What it cost, once it is through. */
  usage?: () => Usage | undefined;
}

/** Sends an answer as it comes; when it is over, counts it and tells the upstream's breaker how it ended. */
export async function relayAnswer(
  room: DirectRoom,
  call: DirectClientCall,
  given: Given,
  { usage, ...relay }: Relay,
): Promise<void> {
  const { upstream } = given.target;
  const end = await sendBody(call, { ...relay, headers: noteDirect(room, call, given) });
  const cost = usage?.();
  if (cost) {
    meterUsage(room, upstream, cost);
    if (call.request.served) call.request.served.usage = () => cost;
  }
  // A client that left has ended the answer itself.
  if (end === 'left') return;
  const { breakers } = room.fallback(call.signal);
  if (end === undefined) return breakers.succeeded(upstream);
  if (classifyTold(end).countsAsFailure) breakers.failed(upstream);
  room.logger.warn({ err: failureTrace(end), upstream, request_id: call.request.id }, 'an answer broke off');
}

/** How events go that the upstream has written: as they are, and whole only with the one that ends them. */
export function relayedEvents(watcher: EventWatcher, body: AnswerBody): Relay {
  return {
    body,
    contentType: 'text/event-stream; charset=utf-8',
    spell: (piece) => {
      watcher.push(piece);
      return piece;
    },
    last: () => {
      watcher.end();
      return watcher.isFinished ? '' : undefined;
    },
    usage: () => watcher.usage,
  };
}
