import type { RealtimeSocket } from '@sluice/canonical';
import { attemptErrorOf } from '../direct/call-direct.ts';
import { withFallback } from '../routing/with-fallback.ts';
import type { RealtimePlan, RealtimeTarget } from './plan-realtime.ts';
import type { RealtimeDeps } from './realtime-services.ts';

/** A session that an upstream has opened, not yet read from. */
export interface OpenedRealtime {
  socket: RealtimeSocket;
  target: RealtimeTarget;
  /** The model's name there; undefined where the session names none. */
  named: string | undefined;
}

/**
 * Asks the upstreams of a plan in turn until one has opened a session. The client is told nothing before: see
 * `docs/extend/decisions/0011-realtime-opens-the-upstream-first.md`.
 * @throws GatewayError what they came to
 */
export function openRealtime(
  deps: Pick<RealtimeDeps, 'fallback'>,
  { targets, query }: RealtimePlan,
  { beta, signal }: { beta?: string | undefined; signal: AbortSignal },
): Promise<OpenedRealtime> {
  const attempt = async (target: RealtimeTarget): Promise<OpenedRealtime> => {
    const named = query.namesModel ? target.target.model : undefined;
    try {
      const socket = await target.capability.open({
        ...(named !== undefined && { model: named }),
        ...(beta !== undefined && { beta }),
        query: query.passed,
        signal,
      });
      return { socket, target, named };
    } catch (error) {
      throw attemptErrorOf(error);
    }
  };
  return withFallback(targets, attempt, deps.fallback(signal));
}
