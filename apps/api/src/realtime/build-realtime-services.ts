import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '@sluice/config';
import type { FastifyInstance } from 'fastify';
import { createAcceptSocket } from './accept-socket.ts';
import { createOriginCheck } from './check-origin.ts';
import type { RealtimeDeps } from './realtime-services.ts';
import { RealtimeSessions } from './realtime-sessions.ts';

const PING_MS = 20_000;
/** For the two ends of a session to close; the process may be in more of a hurry. */
const CLOSE_MS = 5_000;
/** For an end that closes to take what still waits for it. */
const DRAIN_MS = 60_000;
/** How much later than that a session may be over. */
const SLACK_MS = 1_000;

/** What {@link buildRealtimeServices} needs. */
export interface RealtimeServicesParts extends Omit<
  RealtimeDeps,
  'accept' | 'checkOrigin' | 'sessions' | 'limits' | 'defaultModel'
> {
  config: Config;
  /** Aborts when the process is asked to stop. */
  stopping: AbortSignal;
}

/** Puts together what realtime sessions are served with; they end when the process stops or the API closes. */
export function buildRealtimeServices(app: FastifyInstance, parts: RealtimeServicesParts): RealtimeDeps {
  const { config, stopping, catalog, accounts, charges, fallback, newId, logger, metrics } = parts;
  const { limits, timeouts } = config;
  const sessions = new RealtimeSessions();
  const closeMs = Math.min(CLOSE_MS, timeouts.shutdown_ms);
  const stop = (): void => void sessions.stop();
  if (stopping.aborted) stop();
  else stopping.addEventListener('abort', stop, { once: true });
  // The server waits for the connections of clients; a session has another one, and ends with a line in the log.
  app.addHook('preClose', async () => {
    const late = wait(closeMs + SLACK_MS, undefined, { ref: false });
    await Promise.race([sessions.stop(), late]);
  });
  return {
    catalog,
    accounts,
    charges,
    fallback: (signal) => fallback(signal, 'realtime'),
    newId,
    logger,
    metrics,
    sessions,
    defaultModel: config.defaults.realtime_model,
    checkOrigin: createOriginCheck(config),
    accept: createAcceptSocket({ frameBytes: limits.realtime_frame_bytes, closeMs: DRAIN_MS }),
    limits: {
      idleMs: timeouts.realtime_idle_ms,
      sessionMs: timeouts.realtime_session_ms,
      pingMs: PING_MS,
      closeMs,
      drainMs: DRAIN_MS,
    },
  };
}
