import type { Config, ModelCapability } from '@sluice/config';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { AttemptError } from './attempt-error.ts';
import { type CircuitBreakers, createCircuitBreakers } from './circuit-breaker.ts';
import type { FallbackOptions } from './with-fallback.ts';

export type OpenFallback<Args extends readonly unknown[] = []> = (
  signal: AbortSignal,
  ...args: Args
) => FallbackOptions;

export interface CreateFallbackOptions {
  settings: Config['routing'];
  logger: Logger;
  metrics: Pick<Metrics, 'upstreamFailures'>;
  now: () => number;
}

export function createFallback({
  settings: { failures, open_ms: openMs, max_open_ms: maxOpenMs },
  logger,
  metrics,
  now,
}: CreateFallbackOptions): OpenFallback<[ModelCapability]> {
  const breakers = new Map<ModelCapability, CircuitBreakers>();
  const create = (capability: ModelCapability): CircuitBreakers =>
    createCircuitBreakers({
      failures,
      openMs,
      maxOpenMs,
      now,
      onChange: (upstream, change) => {
        if (change === 'closed') logger.info({ upstream, capability }, 'circuit breaker closed');
        else logger.warn({ upstream, capability, open_ms: change.openMs }, 'circuit breaker open');
      },
    });

  function onFailure(upstream: string, { error, source }: AttemptError): void {
    // The gateway's own error is logged with the request.
    if (error.code === 'internal_error') return;
    const fields = { upstream, code: error.code };
    if (source === 'not-sent') return logger.debug(fields, 'upstream skipped: it does not support the request');
    metrics.upstreamFailures.inc(fields);
    if (source === 'request') logger.info(fields, 'upstream rejected a request');
    else logger.warn(fields, 'upstream attempt failed');
  }

  return (signal, capability) => {
    const existing = breakers.get(capability) ?? create(capability);
    breakers.set(capability, existing);
    return { breakers: existing, signal, onFailure };
  };
}
