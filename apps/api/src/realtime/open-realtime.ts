import type { RealtimeSocket } from '@sluice/canonical';
import { attemptErrorOf } from '../routing/upstream-failure.ts';
import { type FallbackOptions, withFallback } from '../routing/with-fallback.ts';
import type { RealtimePlan, RealtimeTarget } from './plan-realtime.ts';

export interface OpenedRealtime {
  socket: RealtimeSocket;
  target: RealtimeTarget;
  /** Undefined if the client's request does not contain a model. */
  model: string | undefined;
}

/**
 * Opens the upstream connection before it responds to the client. See
 * `docs/extend/decisions/0011-realtime-opens-the-upstream-first.md`.
 */
export function openRealtime(
  fallback: FallbackOptions,
  { targets, query }: RealtimePlan,
  { beta, signal }: { beta?: string | undefined; signal: AbortSignal },
): Promise<OpenedRealtime> {
  const attempt = async (target: RealtimeTarget): Promise<OpenedRealtime> => {
    const model = query.namesModel ? target.target.model : undefined;
    try {
      const socket = await target.capability.open({
        ...(model !== undefined && { model }),
        ...(beta !== undefined && { beta }),
        query: query.passed,
        signal,
      });
      return { socket, target, model };
    } catch (error) {
      throw attemptErrorOf(error);
    }
  };
  return withFallback(targets, attempt, fallback);
}
