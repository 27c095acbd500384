import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '@sluice/config';
import type { FastifyInstance } from 'fastify';
import { createAcceptSocket } from './accept-socket.ts';
import { createOriginCheck } from './check-origin.ts';
import type { RealtimeDeps } from './realtime-deps.ts';
import { RealtimeSessions } from './realtime-sessions.ts';

const PING_MS = 20_000;
const CLOSE_MS = 5_000;
const DRAIN_MS = 60_000;
const SLACK_MS = 1_000;

type RealtimeParts = Pick<RealtimeDeps, 'accept' | 'checkOrigin' | 'sessions' | 'limits' | 'defaultModel'>;

/** Sessions end when the process stops or the API closes. */
export function createRealtime(app: FastifyInstance, config: Config, stopping: AbortSignal): RealtimeParts {
  const { limits, timeouts } = config;
  const sessions = new RealtimeSessions();
  const closeMs = Math.min(CLOSE_MS, timeouts.shutdown_ms);
  const stop = (): void => void sessions.stop();
  if (stopping.aborted) stop();
  else stopping.addEventListener('abort', stop, { once: true });
  // The server only waits for client connections. A session also has an upstream connection and a log line to write.
  app.addHook('preClose', async () => {
    const late = wait(closeMs + SLACK_MS, undefined, { ref: false });
    await Promise.race([sessions.stop(), late]);
  });
  return {
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
