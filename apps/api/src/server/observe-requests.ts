import { LogLine, type Logger, type Metrics, redactUrl } from '@sluice/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestIdHeaders } from '../http/request-id.ts';
import { countClientRequest, routeOf } from '../metering/count-client-request.ts';
import { isServedFirst } from '../routing/record-attempt.ts';

const QUIET = new Set(['/health/live', '/health/ready', '/metrics']);

/** Writes a log line and updates the metrics for each request. Neither contains a body, a prompt, or a credential. */
export function observeRequests(app: FastifyInstance, logger: Logger, metrics: Metrics): void {
  app.decorateRequest('served', undefined);
  app.decorateRequest('session', undefined);
  app.decorateRequest('attempts', undefined);
  app.decorateRequest('requestedModel', undefined);
  app.decorateRequest('configuredModel', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(requestIdHeaders(request.id));
    metrics.httpInFlight.inc();
    // `onResponse` is not used because it does not run when a client disconnects during the response.
    reply.raw.once('close', () => {
      if (request.session) {
        return void request.session.then((session) => logRequest(logger, request, reply, session));
      }
      metrics.httpInFlight.dec();
      const labels = { method: request.method, route: routeOf(request), status: String(reply.statusCode) };
      metrics.httpRequests.inc(labels);
      metrics.httpDuration.observe(labels, reply.elapsedTime / 1_000);
      countClientRequest(metrics, request, reply);
      logRequest(logger, request, reply);
    });
    done();
  });
}

function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply, session?: object): void {
  const level = QUIET.has(routeOf(request)) ? 'debug' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  const { served, attempts } = request;
  const line = new LogLine(logger)
    .addForeign('request_id', request.id)
    .add('method', request.method)
    .addForeign('path', redactUrl(request.url))
    .add('status', reply.statusCode)
    .add('ms', Math.round(reply.elapsedTime * 10) / 10)
    .add('client', request.apiKey?.name)
    .addForeign('model', request.requestedModel);
  if (served) {
    line.add('upstream', served.upstream).addForeign('upstream_model', served.upstream_model);
    line.add('relayed', served.relayed).addNumbers('usage', served.usage());
    if (served.dropped) line.addFields({ dropped: served.dropped });
  }
  if (attempts && !isServedFirst(attempts)) line.addFields({ attempts });
  if (request.isAborted) line.add('cut_off', true);
  if (session) line.addFields(session);
  else if (!reply.raw.writableFinished) line.add('aborted', true);
  line.write(level, 'request');
}
