import type { GatewayError } from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import { type AttemptFailure, classifyReported } from './attempt-error.ts';
import type { CircuitBreakers } from './circuit-breaker.ts';
import { failureTrace } from './failure-trace.ts';

export function recordInterruption(
  { breakers, logger }: { breakers: CircuitBreakers; logger: Pick<Logger, 'warn'> },
  fields: { upstream: string; request_id: string },
  error: GatewayError,
  { countsAsFailure, isAlive = false }: Pick<AttemptFailure, 'countsAsFailure' | 'isAlive'> = classifyReported(error),
): void {
  if (countsAsFailure) breakers.failed(fields.upstream);
  else if (isAlive) breakers.succeeded(fields.upstream);
  logger.warn({ err: failureTrace(error), ...fields }, 'response interrupted');
}
