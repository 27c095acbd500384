import { createRequire } from 'node:module';
import type PromClient from 'prom-client';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Labels have few, bounded values, so models, keys, and task ids are not labels. */
export interface Metrics {
  registry: Registry;
  httpRequests: Counter<'method' | 'route' | 'status'>; // `route` is the pattern, not the path
  httpDuration: Histogram<'method' | 'route' | 'status'>;
  httpInFlight: Gauge;
  /** Requests that an upstream failed, even if another upstream served them. */
  upstreamFailures: Counter<'upstream' | 'code'>;
  /** Conversations that another upstream than their first choice serves. */
  affinityPins: Gauge<'upstream'>;
  textTokens: Counter<'upstream' | 'direction'>;
  realtimeSessions: Gauge;
  realtimeDuration: Histogram;
  contentType: string;
  render: () => Promise<string>;
}

export interface MetricsOptions {
  processMetrics?: boolean; // memory, CPU time, and event loop; default: false
}

/** From 5 ms, a response from Redis, to 120 s, the longest generation. */
const DURATION_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** From one sentence to the default session limit. */
const SESSION_SECONDS = [1, 5, 15, 60, 300, 900, 1800, 3600];

/** Each call has its own registry, so that two APIs in one process do not mix. */
export function createMetrics({ processMetrics = false }: MetricsOptions = {}): Metrics {
  // Load lazily: it takes most of the start-up time, and many processes have no metrics.
  const require = createRequire(import.meta.url);
  // `require` is untyped; this is the module's type.
  const client = require('prom-client') as typeof PromClient;
  const registry = new client.Registry();
  const registers = [registry];
  const labelNames = ['method', 'route', 'status'] as const;
  if (processMetrics) client.collectDefaultMetrics({ register: registry });
  return {
    registry,
    httpRequests: new client.Counter({
      name: 'sluice_http_requests_total',
      help: 'Finished HTTP requests.',
      labelNames,
      registers,
    }),
    httpDuration: new client.Histogram({
      name: 'sluice_http_request_duration_seconds',
      help: 'Seconds from the arrival of a request to the end of its response, or to the start of a realtime session.',
      labelNames,
      buckets: DURATION_SECONDS,
      registers,
    }),
    httpInFlight: new client.Gauge({
      name: 'sluice_http_requests_in_flight',
      help: 'HTTP requests in flight.',
      registers,
    }),
    upstreamFailures: new client.Counter({
      name: 'sluice_upstream_failures_total',
      help: 'Text requests, direct calls, and realtime sessions that an upstream failed.',
      labelNames: ['upstream', 'code'] as const,
      registers,
    }),
    affinityPins: new client.Gauge({
      name: 'sluice_affinity_pins',
      help: 'Conversations pinned to a fallback upstream, by that upstream.',
      labelNames: ['upstream'] as const,
      registers,
    }),
    textTokens: new client.Counter({
      name: 'sluice_text_tokens_total',
      help: 'Tokens of finished text responses, direct calls, and realtime sessions, as reported by upstreams.',
      labelNames: ['upstream', 'direction'] as const,
      registers,
    }),
    realtimeSessions: new client.Gauge({
      name: 'sluice_realtime_sessions',
      help: 'Open realtime sessions.',
      registers,
    }),
    realtimeDuration: new client.Histogram({
      name: 'sluice_realtime_session_seconds',
      help: 'Seconds from the request for a realtime session to its end.',
      buckets: SESSION_SECONDS,
      registers,
    }),
    contentType: registry.contentType,
    render: async () => registry.metrics(),
  };
}
