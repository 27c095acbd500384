import { GatewayError } from '@sluice/canonical';
import { SSE_COMMENT } from '@sluice/protocols';
import type { FastifyRequest } from 'fastify';
import { sessionTokenOf } from '../auth/use-sessions.ts';
import type { ConsoleSession } from '../auth/console-sessions.ts';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { type EventStream, openEventStream } from '../http/event-stream.ts';
import { type ConsoleDeps, type ConsoleEndpoint, defineConsoleEndpoint } from './console-endpoint.ts';
import type { LiveChange, Subscriber } from './live-changes.ts';

/** Streams of one process. A console has one for each visible tab. */
const MAX_STREAMS = 500;
/** Streams of one user, so that the holder of a key cannot take those of operators. */
const MAX_OF_USER = 50;
/** A stream ends within this time after its session. */
const SESSION_CHECK_MS = 10_000;
/** More ids are left out while a client reads too slowly. */
const MAX_TASKS = 500;
const RETRY_MS = 3_000;
const CONTENT_TYPE = 'text/event-stream; charset=utf-8';

/**
 * Reports changes to a console, so that it reads its lists again: `event: change` with the number of new requests
 * and the ids of changed tasks. The holder of a key learns only about its own.
 */
export const EVENTS_ENDPOINT: ConsoleEndpoint = defineConsoleEndpoint({
  method: 'GET',
  path: '/console/api/events',
  status: 200,
  serve: async (deps, { request, reply, session }) => {
    if (!session) throw new GatewayError('internal_error', 'The session is missing.');
    if (request.method === 'HEAD') return reply.type(CONTENT_TYPE).send();
    const subscriber = subscriberOf(session);
    if (deps.changes.size >= MAX_STREAMS || deps.changes.countOf(subscriber.user) >= MAX_OF_USER) {
      throw new GatewayError('rate_limited', 'Too many consoles are open. Retry later.', { retryAfterMs: 60_000 });
    }
    const signal = AbortSignal.any([clientDisconnected(reply), deps.stopping]);
    const stream = openEventStream(reply, {
      contentType: CONTENT_TYPE,
      keepAliveMs: deps.keepAliveMs,
      keepAlive: () => SSE_COMMENT,
    });
    const unsubscribe = deps.changes.subscribe(subscriber, sender(stream));
    stream.begin({});
    stream.write(`retry: ${RETRY_MS}\n\n`, 'utf8');
    await untilEnd(deps, request, signal);
    unsubscribe();
    stream.end();
    return undefined;
  },
});

function subscriberOf({ role, name, keyHash, subject = '' }: ConsoleSession): Subscriber {
  return { user: `${keyHash} ${subject}`, owner: role === 'holder' ? name : undefined };
}

/** Sends changes only as fast as the client reads. Changes in between are merged, so that they need no more memory. */
function sender(stream: EventStream): (change: LiveChange) => void {
  let isReady = true;
  let waiting: LiveChange | undefined;
  const send = ({ requests, tasks }: LiveChange): void => {
    const data = JSON.stringify({ requests, tasks: [...tasks] });
    isReady = stream.write(`event: change\ndata: ${data}\n\n`, 'utf8');
  };
  stream.onDrain(() => {
    isReady = true;
    const merged = waiting;
    waiting = undefined;
    if (merged) send(merged);
  });
  return (change) => {
    if (isReady) return send(change);
    const tasks = [...(waiting?.tasks ?? []), ...change.tasks].slice(0, MAX_TASKS);
    waiting = { requests: (waiting?.requests ?? 0) + change.requests, tasks: new Set(tasks) };
  };
}

/** Resolves when the client disconnects, the process stops, or the session has ended. */
async function untilEnd(
  { sessions, findApiKey }: Pick<ConsoleDeps, 'sessions' | 'findApiKey'>,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<void> {
  const token = sessionTokenOf(request) ?? '';
  const isValid = async (): Promise<boolean> => {
    const session = await sessions.find(token);
    return session !== undefined && (session.role !== 'holder' || findApiKey(session.keyHash) !== undefined);
  };
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      // While Redis is unavailable, the session may still exist.
      void isValid()
        .catch(() => true)
        .then((valid) => valid || end());
    }, SESSION_CHECK_MS).unref();
    const end = (): void => {
      clearInterval(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
