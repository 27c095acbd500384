import { type Logger, type Metrics, redactUrl } from '@sluice/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestIdHeaders } from '../http/request-id.ts';
import { countClientRequest, routeOf } from '../metering/count-client-request.ts';
import { attemptFields } from '../routing/record-attempt.ts';

const QUIET = new Set(['/health/live', '/health/ready', '/metrics']);

/** Writes a log line and updates the metrics for each request. Neither contains a body, a prompt, or a credential. */
export function observeRequests(app: FastifyInstance, logger: Logger, metrics: Metrics): void {
  app.decorateRequest('served', undefined);
  app.decorateRequest('session', undefined);
  app.decorateRequest('attempts', undefined);
  app.decorateRequest('requestedModel', undefined);
  app.decorateRequest('configuredModel', undefined);
  const series = createSeries(metrics);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(requestIdHeaders(request.id));
    metrics.httpInFlight.inc();
    // `onResponse` is not used because it does not run when a client disconnects during the response.
    reply.raw.once('close', () => {
      if (request.session) {
        return void request.session.then((session) => logRequest(logger, request, reply, session));
      }
      metrics.httpInFlight.dec();
      const { requests, duration } = series(request.method, routeOf(request), reply.statusCode);
      requests.inc();
      duration.observe(reply.elapsedTime / 1_000);
      countClientRequest(metrics, request, reply);
      logRequest(logger, request, reply);
    });
    done();
  });
}

function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply, session?: object): void {
  logger[QUIET.has(routeOf(request)) ? 'debug' : 'info'](
    {
      request_id: request.id,
      method: request.method,
      path: redactUrl(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      client: request.apiKey?.name,
      ...(request.requestedModel !== undefined && { model: request.requestedModel }),
      ...(request.served && { ...request.served, usage: request.served.usage() }),
      ...attemptFields(request.attempts),
      ...(request.isAborted && { cut_off: true }),
      ...(session ?? (reply.raw.writableFinished ? {} : { aborted: true })),
    },
    'request',
  );
}

interface Series {
  requests: { inc(): void };
  duration: { observe(seconds: number): void };
}

function createSeries({
  httpRequests,
  httpDuration,
}: Metrics): (method: string, route: string, status: number) => Series {
  const cache = new Map<string, Series>();
  return (method, route, status) => {
    const key = `${method} ${route} ${status}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const labels = { method, route, status: String(status) };
    const created = { requests: httpRequests.labels(labels), duration: httpDuration.labels(labels) };
    cache.set(key, created);
    return created;
  };
}
