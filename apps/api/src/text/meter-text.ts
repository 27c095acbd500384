import type { Usage } from '@sluice/canonical';
import type { Outcome } from './answer-client.ts';
import type { OpenedAnswer } from './open-answer.ts';
import type { TextRoom } from './text-room.ts';
import type { Turn } from './turn.ts';

/** Counts an answer that is over, and tells the breaker when it broke off. */
export function meterText(
  room: TextRoom,
  { routed }: OpenedAnswer,
  { usage, failed }: Outcome,
  { signal }: Turn,
): void {
  const { upstream } = routed.target;
  const { breakers, logger } = room;
  if (usage) meterUsage(room, upstream, usage);
  // A client that left has ended the answer itself.
  if (!failed || signal.aborted) return;
  breakers.failed(upstream);
  logger.warn({ err: failed.cause ?? failed, upstream }, 'an answer broke off');
}

/** Counts the tokens that an upstream told. */
export function meterUsage({ metrics }: Pick<TextRoom, 'metrics'>, upstream: string, usage: Usage): void {
  metrics.textTokens.inc({ upstream, direction: 'input' }, usage.inputTokens);
  metrics.textTokens.inc({ upstream, direction: 'output' }, usage.outputTokens);
}
