import type { TextOperation } from '@sluice/canonical';
import { type Config, MODEL_CAPABILITIES, type ModelCapability } from '@sluice/config';
import {
  type AttemptLabels,
  exportedTraceId,
  type Logger,
  type Metrics,
  type RequestTrace,
  traceFields,
} from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AttemptError } from './attempt-error.ts';
import { type CircuitBreakers, createCircuitBreakers } from './circuit-breaker.ts';
import { configuredNames } from '../metering/count-client-request.ts';
import { attemptStarter } from './attempt-starter.ts';
import { recordAttempt, resultOf } from './record-attempt.ts';
import type { AttemptOutcome, AttemptTarget, FallbackOptions } from './with-fallback.ts';

export interface FallbackCall {
  reply: Pick<FastifyReply, 'header' | 'request'>;
  signal: AbortSignal;
}

export type OpenFallback<Args extends readonly unknown[] = []> = (call: FallbackCall, ...args: Args) => FallbackOptions;

export interface CreateFallbackOptions {
  settings: Config['routing'];
  logger: Logger;
  metrics: Pick<
    Metrics,
    'upstreamFailures' | 'recordAttempt' | 'timeToFirstEvent' | 'circuitState' | 'circuitOpenSeconds' | 'beforeRender'
  >;
  /** Each upstream's capabilities, by upstream name. */
  accounts: ReadonlyMap<string, object>;
  now: () => number;
}

const STATES = { closed: 0, 'half-open': 1, open: 2 };

export function createFallback({
  settings: { failures, open_ms: openMs, max_open_ms: maxOpenMs },
  logger,
  metrics,
  accounts,
  now,
}: CreateFallbackOptions): OpenFallback<[ModelCapability, TextOperation?]> {
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

  function logFailure(request: FastifyRequest, upstream: string, { error, source }: AttemptError): void {
    // The request's own log line contains internal errors.
    if (error.code === 'internal_error') return;
    const labels = { upstream, code: error.code };
    const fields = { request_id: request.id, ...traceFields(request.trace), ...labels };
    if (source === 'not-sent') return logger.debug(fields, 'upstream skipped: it does not support the request');
    metrics.upstreamFailures.inc(labels);
    if (source === 'request') logger.info(fields, 'upstream rejected a request');
    else logger.warn(fields, 'upstream attempt failed');
  }

  metrics.beforeRender(() => {
    for (const [upstream, account] of accounts) {
      for (const operation of MODEL_CAPABILITIES) {
        // Tasks have no circuit breaker. Their accounts are paused instead.
        if (operation === 'video' || operation === 'image' || !(operation in account)) continue;
        const state = breakers.get(operation)?.stateOf(upstream) ?? 'closed';
        metrics.circuitState.set({ upstream, operation }, STATES[state]);
        metrics.circuitOpenSeconds.set(
          { upstream, operation },
          (breakers.get(operation)?.openMs(upstream) ?? 0) / 1_000,
        );
      }
    }
  });

  function countAttempt(labels: AttemptLabels, outcome: AttemptOutcome, traceId: string | undefined): void {
    const result = resultOf(outcome);
    if (!('ms' in outcome) || result === 'unsupported') return metrics.recordAttempt(labels, result);
    const seconds = outcome.ms / 1_000;
    // The attempt of a stream is recorded when the stream ends.
    if (outcome.result === 'served' && outcome.isStreaming) metrics.timeToFirstEvent.observe(labels, seconds, traceId);
    else metrics.recordAttempt(labels, result, seconds, traceId);
  }

  return ({ reply, signal }, operation, textOperation) => {
    const existing = breakers.get(operation) ?? create(operation);
    breakers.set(operation, existing);
    const { trace } = reply.request;
    const traceId = exportedTraceId(trace);
    const labelsOf = (upstream: string): AttemptLabels => {
      const { model } = configuredNames(reply.request);
      return { upstream, model, operation };
    };
    return {
      breakers: existing,
      signal,
      ...(trace && { startTrace: attemptStarter(trace, operation, textOperation) }),
      onAttempt: (target, outcome) => {
        if (trace) traceSkipped(trace, target, outcome);
        recordAttempt(reply, target, outcome);
        countAttempt(labelsOf(target.upstream), outcome, traceId);
        if (outcome.result === 'failed') logFailure(reply.request, target.upstream, outcome.failure);
      },
      onStreamEnd: (upstream, result, seconds) => metrics.recordAttempt(labelsOf(upstream), result, seconds, traceId),
    };
  };
}

/** An upstream that was not called has no span. */
function traceSkipped(trace: RequestTrace, { upstream, model }: AttemptTarget, outcome: AttemptOutcome): void {
  const result = resultOf(outcome);
  if (result !== 'circuit_open' && result !== 'unsupported') return;
  trace.addEvent('upstream skipped', {
    'sluice.upstream': upstream,
    'gen_ai.request.model': model,
    'sluice.reason': result,
  });
}
