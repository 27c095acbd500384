import type { Metrics } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countClientRequest, routeOf } from '../metering/count-client-request.ts';
import type { SessionEnd } from './relay-session.ts';

/** @param ended resolves when both connections are closed */
export function countSession(
  metrics: Metrics,
  request: FastifyRequest,
  reply: FastifyReply,
  ended: Promise<SessionEnd>,
): void {
  request.session = ended;
  const labels = {
    method: request.method,
    route: routeOf(request),
    status: String(reply.statusCode),
  };
  metrics.httpInFlight.dec();
  metrics.httpRequests.inc(labels);
  metrics.httpDuration.observe(labels, reply.elapsedTime / 1_000);
  countClientRequest(metrics, request, reply);
  metrics.realtimeSessions.inc();
  void ended.finally(() => {
    metrics.realtimeSessions.dec();
    metrics.realtimeDuration.observe(reply.elapsedTime / 1_000);
  });
}
