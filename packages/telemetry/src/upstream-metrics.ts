import { boundedCounter, type BoundedCounter, boundedHistogram, type MetricsTarget } from './bounded-metrics.ts';

/** Labels of an upstream call. `model` is the configured id, so the number of values is limited. */
export interface AttemptLabels {
  upstream: string;
  model: string;
  /** A capability (e.g. `text`) or a task's step (e.g. `submit`). */
  operation: string;
}

export type UsageLabel = 'model' | 'key' | 'upstream';

/** Metrics that the API and the workers both record. */
export interface UpstreamMetrics {
  /**
   * Counts a call by its outcome.
   * @param seconds undefined if the upstream was skipped
   * @param traceId becomes an exemplar of the duration
   */
  recordAttempt(labels: AttemptLabels, outcome: string, seconds?: number, traceId?: string): void;
  /** In US dollars. */
  cost: BoundedCounter<UsageLabel>;
}

const LABELS = ['upstream', 'model', 'operation', 'outcome'] as const;

export function upstreamMetrics(target: MetricsTarget): UpstreamMetrics {
  const attempts = boundedCounter(target, {
    name: 'sluice_upstream_attempts_total',
    help: 'Calls of upstreams, and skipped upstreams, by outcome.',
    labelNames: LABELS,
  });
  const duration = boundedHistogram(target, {
    name: 'sluice_upstream_attempt_duration_seconds',
    help: 'Seconds from a call of an upstream to the end of its response or its failure.',
    labelNames: LABELS,
  });
  return {
    recordAttempt(attempt, outcome, seconds, traceId) {
      const labels = { ...attempt, outcome };
      attempts.inc(labels);
      if (seconds !== undefined) duration.observe(labels, seconds, traceId);
    },
    cost: boundedCounter(target, {
      name: 'sluice_cost_usd_total',
      help: 'Cost in US dollars at the configured prices.',
      labelNames: ['model', 'key', 'upstream'],
    }),
  };
}
