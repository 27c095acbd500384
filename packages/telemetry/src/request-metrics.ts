import {
  boundedCounter,
  type BoundedCounter,
  boundedHistogram,
  type BoundedHistogram,
  type MetricsTarget,
} from './bounded-metrics.ts';
import type { AttemptLabels, UsageLabel } from './upstream-metrics.ts';

/** Metrics of clients' requests, by model, key, and upstream. */
export interface RequestMetrics {
  clientRequests: BoundedCounter<UsageLabel | 'route' | 'protocol' | 'status'>;
  limitRefusals: BoundedCounter<'model' | 'key' | 'limit'>;
  tokens: BoundedCounter<UsageLabel | 'direction'>;
  cachedInputTokens: BoundedCounter<UsageLabel>;
  timeToFirstEvent: BoundedHistogram<keyof AttemptLabels>;
  outputRate: BoundedHistogram<'upstream' | 'model'>;
}

/** From a slow reasoning model to the fastest hosted ones. */
const TOKENS_PER_SECOND = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000];

export function requestMetrics(target: MetricsTarget): RequestMetrics {
  return {
    clientRequests: boundedCounter(target, {
      name: 'sluice_client_requests_total',
      help: 'Finished requests with a valid API key.',
      labelNames: ['route', 'protocol', 'model', 'key', 'upstream', 'status'],
    }),
    limitRefusals: boundedCounter(target, {
      name: 'sluice_limit_refusals_total',
      help: "Requests refused by a limit or the budget of the client's API key.",
      labelNames: ['model', 'key', 'limit'],
    }),
    tokens: boundedCounter(target, {
      name: 'sluice_tokens_total',
      help: 'Tokens that upstreams reported.',
      labelNames: ['model', 'key', 'upstream', 'direction'],
    }),
    cachedInputTokens: boundedCounter(target, {
      name: 'sluice_cached_input_tokens_total',
      help: 'Input tokens that upstreams read from a cache; part of the input tokens.',
      labelNames: ['model', 'key', 'upstream'],
    }),
    timeToFirstEvent: boundedHistogram(target, {
      name: 'sluice_upstream_time_to_first_event_seconds',
      help: 'Seconds from a call of an upstream to the first event of its stream.',
      labelNames: ['upstream', 'model', 'operation'],
    }),
    outputRate: boundedHistogram(
      target,
      {
        name: 'sluice_output_tokens_per_second',
        help: 'Output tokens per second of complete streams, from the first event to the last.',
        labelNames: ['upstream', 'model'],
      },
      TOKENS_PER_SECOND,
    ),
  };
}
