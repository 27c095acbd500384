import type { Outcome } from './answer-client.ts';
import type { OpenedAnswer } from './open-answer.ts';
import type { TextRoom } from './text-room.ts';
import type { Turn } from './turn.ts';

/** Counts an answer that is over, and tells the breaker when it broke off. */
export function meterText(
  { metrics, breakers, logger }: TextRoom,
  { routed }: OpenedAnswer,
  { usage, failed }: Outcome,
  { signal }: Turn,
): void {
  const { upstream } = routed.target;
  if (usage) {
    metrics.textTokens.inc({ upstream, direction: 'input' }, usage.inputTokens);
    metrics.textTokens.inc({ upstream, direction: 'output' }, usage.outputTokens);
  }
  // A client that left has ended the answer itself.
  if (!failed || signal.aborted) return;
  breakers.failed(upstream);
  logger.warn({ err: failed.cause ?? failed, upstream }, 'an answer broke off');
}
