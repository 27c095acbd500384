import type { Usage } from '@sluice/canonical';
import { type Logger, type Metrics, redactUrl } from '@sluice/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionEnd } from '../realtime/relay-session.ts';
import { requestIdHeaders } from '../http/request-id.ts';

/** Which upstream served a request, and what it cost. */
interface ServedText {
  upstream: string;
  /** The model's name there. */
  upstream_model: string;
  /** Whether bytes were relayed rather than translated. */
  relayed: boolean;
  /** As far as it is known. */
  usage: () => Usage | undefined;
  /** What could not be carried. */
  dropped?: string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request that became a web socket: how that ended. */
    session: Promise<SessionEnd> | undefined;
    /** Set when an upstream has begun to answer. */
    served: ServedText | undefined;
  }
}

/** Routes that are asked every few seconds by machines and would drown the others. */
const QUIET = new Set(['/health/live', '/health/ready', '/metrics']);

/**
 * Gives every answer its request id, and leaves one log line and one count for each request: no body, no prompt, no
 * credential.
 */
export function observeRequests(app: FastifyInstance, logger: Logger, metrics: Metrics): void {
  app.decorateRequest('served', undefined);
  app.decorateRequest('session', undefined);
  const series = createSeries(metrics);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(requestIdHeaders(request.id));
    metrics.httpInFlight.inc();
    const note = (session?: SessionEnd): void => {
      const route = routeOf(request);
      logger[QUIET.has(route) ? 'debug' : 'info'](
        {
          request_id: request.id,
          method: request.method,
          path: redactUrl(request.url),
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          client: request.apiKey?.name,
          ...(request.served && { ...request.served, usage: request.served.usage() }),
          ...(request.isAborted && { cut_off: true }),
          ...(session ?? (reply.raw.writableFinished ? {} : { aborted: true })),
        },
        'request',
      );
    };
    // Not `onResponse`: a client that leaves in mid-answer must be counted too. A session has two ends to close.
    reply.raw.once('close', () => {
      if (request.session) return void request.session.then(note);
      metrics.httpInFlight.dec();
      const { requests, duration } = series(request.method, routeOf(request), reply.statusCode);
      requests.inc();
      duration.observe(reply.elapsedTime / 1_000);
      note();
    });
    done();
  });
}

/**
 * Counts a request that has become a realtime session: it has its answer, and the session is open until it is over.
 * @param over when both of its ends are closed
 */
export function countSession(
  metrics: Metrics,
  request: FastifyRequest,
  reply: FastifyReply,
  over: Promise<SessionEnd>,
): void {
  request.session = over;
  const labels = { method: request.method, route: routeOf(request), status: String(reply.statusCode) };
  metrics.httpInFlight.dec();
  metrics.httpRequests.inc(labels);
  metrics.httpDuration.observe(labels, reply.elapsedTime / 1_000);
  metrics.realtimeSessions.inc();
  void over.finally(() => {
    metrics.realtimeSessions.dec();
    metrics.realtimeDuration.observe(reply.elapsedTime / 1_000);
  });
}

function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'none';
}

interface Series {
  requests: { inc(): void };
  duration: { observe(seconds: number): void };
}

/** The counters of each kind of request, found once: labels are few, and looking them up costs more than counting. */
function createSeries({
  httpRequests,
  httpDuration,
}: Metrics): (method: string, route: string, status: number) => Series {
  const known = new Map<string, Series>();
  return (method, route, status) => {
    const key = `${method} ${route} ${status}`;
    const found = known.get(key);
    if (found) return found;
    const labels = { method, route, status: String(status) };
    const made = { requests: httpRequests.labels(labels), duration: httpDuration.labels(labels) };
    known.set(key, made);
    return made;
  };
}
