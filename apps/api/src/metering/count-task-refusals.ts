import { type ErrorCode, GatewayError } from '@sluice/canonical';
import type { Metrics } from '@sluice/telemetry';
import type { FastifyRequest } from 'fastify';
import { configuredNames } from './count-client-request.ts';

const LIMITS: Partial<Record<ErrorCode, string>> = { rate_limited: 'open_tasks', insufficient_quota: 'budget' };

/** Counts tasks that the engine rejects because of the key's limits. @throws the admission's error */
export async function countTaskRefusals<T>(
  metrics: Pick<Metrics, 'limitRefusals'>,
  request: FastifyRequest,
  admission: Promise<T>,
): Promise<T> {
  try {
    return await admission;
  } catch (error) {
    const limit = error instanceof GatewayError ? LIMITS[error.code] : undefined;
    if (limit !== undefined) metrics.limitRefusals.inc({ ...configuredNames(request), limit });
    throw error;
  }
}
