import type { Metrics } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The value of a label that does not apply (e.g. `model` for a request without a model). */
const NONE = 'none';

/** Returns label values from the configuration. A client cannot choose them. */
export function configuredNames({ apiKey, configuredModel }: Pick<FastifyRequest, 'apiKey' | 'configuredModel'>): {
  model: string;
  key: string;
} {
  return { model: configuredModel?.id ?? NONE, key: apiKey?.name ?? NONE };
}

/** Returns the route's path pattern. */
export function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? NONE;
}

/** Counts a request with a valid API key. */
export function countClientRequest(
  metrics: Pick<Metrics, 'clientRequests'>,
  request: FastifyRequest,
  { statusCode }: Pick<FastifyReply, 'statusCode'>,
): void {
  if (!request.apiKey) return;
  metrics.clientRequests.inc({
    ...configuredNames(request),
    route: routeOf(request),
    protocol: request.routeOptions.config.protocol ?? NONE,
    upstream: request.served?.upstream ?? NONE,
    status: String(statusCode),
  });
}
