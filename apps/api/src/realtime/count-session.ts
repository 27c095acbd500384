import type { Metrics } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionEnd } from './relay-session.ts';

/** @param ended resolves when both ends are closed */
export function countSession(
  metrics: Metrics,
  request: FastifyRequest,
  reply: FastifyReply,
  ended: Promise<SessionEnd>,
): void {
  request.session = ended;
  const labels = {
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status: String(reply.statusCode),
  };
  metrics.httpInFlight.dec();
  metrics.httpRequests.inc(labels);
  metrics.httpDuration.observe(labels, reply.elapsedTime / 1_000);
  metrics.realtimeSessions.inc();
  void ended.finally(() => {
    metrics.realtimeSessions.dec();
    metrics.realtimeDuration.observe(reply.elapsedTime / 1_000);
  });
}
