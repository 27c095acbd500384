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

/** Opens the list of a process's sessions. They end when the process stops or the API closes. */
export function openSessions(
  app: FastifyInstance,
  { timeouts }: Pick<Config, 'timeouts'>,
  stopping: AbortSignal,
): RealtimeSessions {
  const sessions = new RealtimeSessions();
  const stop = (): void => void sessions.stop();
  if (stopping.aborted) stop();
  else stopping.addEventListener('abort', stop, { once: true });
  // The server only waits for client connections. A session also has an upstream connection and a log line to write.
  app.addHook('preClose', async () => {
    const late = wait(closeMsOf(timeouts) + SLACK_MS, undefined, { ref: false });
    await Promise.race([sessions.stop(), late]);
  });
  return sessions;
}

export function createRealtime(sessions: RealtimeSessions, config: Config): RealtimeParts {
  const { limits, timeouts } = config;
  return {
    sessions,
    defaultModel: config.defaults.realtime_model,
    checkOrigin: createOriginCheck(config),
    accept: createAcceptSocket({ frameBytes: limits.realtime_frame_bytes, closeMs: DRAIN_MS }),
    limits: {
      idleMs: timeouts.realtime_idle_ms,
      sessionMs: timeouts.realtime_session_ms,
      pingMs: PING_MS,
      closeMs: closeMsOf(timeouts),
      drainMs: DRAIN_MS,
    },
  };
}

function closeMsOf({ shutdown_ms: shutdownMs }: Config['timeouts']): number {
  return Math.min(CLOSE_MS, shutdownMs);
}
