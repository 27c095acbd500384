import type { Config, ModelCapability } from '@sluice/config';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { FastifyReply } from 'fastify';
import type { AttemptError } from './attempt-error.ts';
import { type CircuitBreakers, createCircuitBreakers } from './circuit-breaker.ts';
import { recordAttempt } from './record-attempt.ts';
import type { FallbackOptions } from './with-fallback.ts';

export interface FallbackCall {
  reply: Pick<FastifyReply, 'header' | 'request'>;
  signal: AbortSignal;
}

export type OpenFallback<Args extends readonly unknown[] = []> = (call: FallbackCall, ...args: Args) => FallbackOptions;

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

  function logFailure(requestId: string, upstream: string, { error, source }: AttemptError): void {
    // The gateway's own error is logged with the request.
    if (error.code === 'internal_error') return;
    const labels = { upstream, code: error.code };
    const fields = { request_id: requestId, ...labels };
    if (source === 'not-sent') return logger.debug(fields, 'upstream skipped: it does not support the request');
    metrics.upstreamFailures.inc(labels);
    if (source === 'request') logger.info(fields, 'upstream rejected a request');
    else logger.warn(fields, 'upstream attempt failed');
  }

  return ({ reply, signal }, capability) => {
    const existing = breakers.get(capability) ?? create(capability);
    breakers.set(capability, existing);
    return {
      breakers: existing,
      signal,
      onAttempt: (target, outcome) => {
        recordAttempt(reply, target, outcome);
        if (outcome.result === 'failed') logFailure(reply.request.id, target.upstream, outcome.failure);
      },
    };
  };
}
