import { splitAccount, type TextOperation } from '@sluice/canonical';
import { type Config, MODEL_CAPABILITIES, type ModelCapability } from '@sluice/config';
import type { CredentialUse } from '@sluice/limits';
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
import { type CircuitBreakers, type CircuitBreakerSettings, createCircuitBreakers } from './circuit-breaker.ts';
import { tokensOf } from '../metering/reservation/max-tokens.ts';
import { configuredNames } from '../metering/count-client-request.ts';
import { attemptStarter } from './attempt-starter.ts';
import { isSkipped, recordAttempt, resultOf } from './record-attempt.ts';
import { createRetryBudget } from './retry-budget.ts';
import type { AttemptOutcome, AttemptTarget, FallbackOptions } from './with-fallback.ts';

export interface FallbackCall {
  reply: Pick<FastifyReply, 'header' | 'request'>;
  signal: AbortSignal;
}

export type OpenFallback<Args extends readonly unknown[] = []> = (call: FallbackCall, ...args: Args) => FallbackOptions;

/** The parts of the configuration that routing reads for each call. */
export interface RoutingVersion {
  settings: Config['routing'];
  /** Each upstream's capabilities, by upstream name. */
  accounts: ReadonlyMap<string, object>;
}

export interface Routing {
  open: OpenFallback<[ModelCapability, TextOperation?]>;
  /** Closes the circuit breakers of upstreams that have changed or were removed. */
  reset(upstreams: readonly string[]): void;
}

export interface CreateFallbackOptions {
  /** Returns the configuration in force. */
  version: () => RoutingVersion;
  logger: Logger;
  metrics: Pick<
    Metrics,
    'upstreamFailures' | 'recordAttempt' | 'timeToFirstEvent' | 'circuitState' | 'circuitOpenSeconds' | 'beforeRender'
  >;
  now: () => number;
}

const STATES = { closed: 0, 'half-open': 1, open: 2 };

/** Creates the routing of a process. Its circuit breakers outlive a reload of the configuration. */
export function createFallback({ version, logger, metrics, now }: CreateFallbackOptions): Routing {
  const breakers = new Map<ModelCapability, CircuitBreakers>();
  const retries = createRetryBudget(() => version().settings.retry_percent);
  const create = (capability: ModelCapability): CircuitBreakers =>
    createCircuitBreakers(
      breakerSettings(version, now, (upstream, change) => {
        if (change === 'closed') logger.info({ upstream, capability }, 'circuit breaker closed');
        else logger.warn({ upstream, capability, open_ms: change.openMs }, 'circuit breaker open');
      }),
    );

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

  metrics.beforeRender(() => showCircuits(metrics, version(), breakers));

  function countAttempt(labels: AttemptLabels, outcome: AttemptOutcome, traceId: string | undefined): void {
    const result = resultOf(outcome);
    if (!('ms' in outcome) || result === 'unsupported') return metrics.recordAttempt(labels, result);
    const seconds = outcome.ms / 1_000;
    // The attempt of a stream is recorded when the stream ends.
    if (outcome.result === 'served' && outcome.isStreaming) metrics.timeToFirstEvent.observe(labels, seconds, traceId);
    else metrics.recordAttempt(labels, result, seconds, traceId);
  }

  const open: Routing['open'] = ({ reply, signal }, operation, textOperation) => {
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
      onFirstCall: () => retries.earn(configuredNames(reply.request).model),
      mayRetry: () => retries.spend(configuredNames(reply.request).model),
      tokens: () => tokensOf(reply.request.charge?.max.usage),
      onUse: (use) => replaceUse(reply.request, use),
      ...(trace && { startTrace: attemptStarter(trace, operation, textOperation) }),
      onAttempt: (target, outcome) => {
        if (trace) traceSkipped(trace, target, outcome);
        recordAttempt(reply, target, outcome);
        countAttempt(labelsOf(target.upstream), outcome, traceId);
        if (outcome.result === 'failed') logFailure(reply.request, target.upstream, outcome.failure);
      },
      onStreamEnd: (upstream, result, seconds) => {
        reply.request.credentialUse?.end();
        metrics.recordAttempt(labelsOf(upstream), result, seconds, traceId);
      },
    };
  };
  return {
    open,
    reset(upstreams) {
      for (const own of breakers.values()) for (const upstream of upstreams) own.reset(upstream);
    },
  };
}

/** Sets the metrics of all circuit breakers. */
function showCircuits(
  metrics: Pick<Metrics, 'circuitState' | 'circuitOpenSeconds'>,
  { accounts }: RoutingVersion,
  breakers: ReadonlyMap<ModelCapability, CircuitBreakers>,
): void {
  metrics.circuitState.reset();
  metrics.circuitOpenSeconds.reset();
  for (const [upstream, account] of accounts) {
    // The credentials of a pool share the circuit breakers of their upstream.
    if (splitAccount(upstream).credential !== undefined) continue;
    for (const operation of MODEL_CAPABILITIES) {
      // Tasks have no circuit breaker. Their accounts are paused instead.
      if (operation === 'video' || operation === 'image' || !(operation in account)) continue;
      const state = breakers.get(operation)?.stateOf(upstream) ?? 'closed';
      metrics.circuitState.set({ upstream, operation }, STATES[state]);
      metrics.circuitOpenSeconds.set({ upstream, operation }, (breakers.get(operation)?.openMs(upstream) ?? 0) / 1_000);
    }
  }
}

/** A request of several calls counts the tokens of all of them towards the last credential. */
function replaceUse(request: FastifyRequest, use: CredentialUse): void {
  request.credentialUse?.end();
  request.credentialUse?.correctTokens(0);
  request.credentialUse = use;
}

function breakerSettings(
  version: () => RoutingVersion,
  now: () => number,
  onChange: CircuitBreakerSettings['onChange'],
): CircuitBreakerSettings {
  return {
    get failures() {
      return version().settings.failures;
    },
    get openMs() {
      return version().settings.open_ms;
    },
    get maxOpenMs() {
      return version().settings.max_open_ms;
    },
    now,
    ...(onChange && { onChange }),
  };
}

/** An upstream that was not called has no span. */
function traceSkipped(trace: RequestTrace, { upstream, model }: AttemptTarget, outcome: AttemptOutcome): void {
  const result = resultOf(outcome);
  if (!isSkipped(result)) return;
  trace.addEvent('upstream skipped', {
    'sluice.upstream': upstream,
    'gen_ai.request.model': model,
    'sluice.reason': result,
  });
}
