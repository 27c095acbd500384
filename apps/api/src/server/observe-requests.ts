import {
  LogLine,
  type Logger,
  type Metrics,
  redactUrl,
  type RequestEnd,
  type RequestTrace,
  type TraceAttributes,
  type Tracing,
} from '@sluice/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestIdHeaders } from '../http/request-id.ts';
import { countClientRequest, routeOf } from '../metering/count-client-request.ts';
import { isServedFirst } from '../routing/record-attempt.ts';

const QUIET = new Set(['/health/live', '/health/ready', '/metrics']);

/**
 * Writes a log line, updates the metrics, and records the charge or the ledger entry of each request. None of them
 * contains a body, a prompt, or a credential.
 */
export function observeRequests(
  app: FastifyInstance,
  { logger, metrics, tracing }: { logger: Logger; metrics: Metrics; tracing?: Tracing | undefined },
): void {
  app.decorateRequest('trace', undefined);
  app.decorateRequest('served', undefined);
  app.decorateRequest('session', undefined);
  app.decorateRequest('attempts', undefined);
  app.decorateRequest('requestedModel', undefined);
  app.decorateRequest('configuredModel', undefined);
  app.decorateRequest('errorCode', undefined);
  app.decorateRequest('firstEventMs', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(requestIdHeaders(request.id));
    metrics.httpInFlight.inc();
    if (tracing) request.trace = startTrace(tracing, request);
    // `onResponse` is not used because it does not run when a client disconnects during the response.
    reply.raw.once('close', () => {
      request.trace?.end(() => endOf(request, reply));
      if (request.session) {
        return void request.session.then((session) => endSession(logger, request, reply, session));
      }
      metrics.httpInFlight.dec();
      const labels = { method: request.method, route: routeOf(request), status: String(reply.statusCode) };
      metrics.httpRequests.inc(labels);
      metrics.httpDuration.observe(labels, reply.elapsedTime / 1_000);
      countClientRequest(metrics, request, reply);
      logRequest(logger, request, reply);
      if (request.charge) request.charge.responseClosed();
      else request.ledger?.write();
      request.apiKey?.line?.onEnd(request.served?.usage());
    });
    done();
  });
}

function endSession(logger: Logger, request: FastifyRequest, reply: FastifyReply, session: object): void {
  logRequest(logger, request, reply, session);
  request.ledger?.write();
}

function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply, session?: object): void {
  // A batch may have a million lines.
  const level = QUIET.has(routeOf(request)) || request.apiKey?.line ? 'debug' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  const { served, attempts, trace } = request;
  const line = new LogLine(logger)
    .addForeign('request_id', request.id)
    .add('trace_id', trace?.ids?.traceId)
    .add('span_id', trace?.ids?.spanId)
    .add('method', request.method)
    .addForeign('path', redactUrl(request.url))
    .add('status', reply.statusCode)
    .add('ms', Math.round(reply.elapsedTime * 10) / 10)
    .add('client', request.apiKey?.name)
    .addForeign('model', request.requestedModel);
  if (served) {
    line.add('upstream', served.upstream).addForeign('upstream_model', served.upstream_model);
    if (served.credential !== undefined) line.add('credential', served.credential);
    line.add('relayed', served.relayed).addNumbers('usage', served.usage());
    if (served.dropped) line.addFields({ dropped: served.dropped });
  }
  if (attempts && !isServedFirst(attempts)) line.addFields({ attempts });
  if (request.isAborted) line.add('cut_off', true);
  if (session) line.addFields(session);
  else if (!reply.raw.writableFinished) line.add('aborted', true);
  line.write(level, 'request');
}

function startTrace(tracing: Tracing, request: FastifyRequest): RequestTrace | undefined {
  const route = request.is404 ? undefined : request.routeOptions.url;
  if (route !== undefined && QUIET.has(route)) return undefined;
  const { id, method, url, protocol: scheme, hostname: host, headers } = request;
  return tracing.startRequest({ id, method, route, path: pathOf(url), scheme, host, headers });
}

function endOf(request: FastifyRequest, reply: FastifyReply): RequestEnd {
  const { served } = request;
  const attributes: TraceAttributes = {
    'sluice.key.name': request.apiKey?.name,
    'gen_ai.request.model': request.requestedModel,
    'sluice.upstream': served?.upstream,
    'sluice.relayed': served?.relayed,
  };
  const isAborted = !reply.raw.writableFinished;
  return {
    status: reply.statusCode,
    isAborted,
    bytes: isAborted ? undefined : bodySize(request, reply),
    attributes,
  };
}

/** Returns the declared size of the body. A response to HEAD declares the size of a body that it does not have. */
function bodySize({ method }: FastifyRequest, reply: FastifyReply): number | undefined {
  const length = reply.getHeader('content-length');
  return length === undefined || method === 'HEAD' ? undefined : Number(length);
}

/** The query may contain a credential. */
function pathOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? url : url.slice(0, at);
}
