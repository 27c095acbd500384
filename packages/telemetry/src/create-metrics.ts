import { createRequire } from 'node:module';
import type PromClient from 'prom-client';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What is counted of a process that serves HTTP. Labels are few and bounded: no model, key or task id is one. */
export interface Metrics {
  registry: Registry;
  /** Finished requests. `route` is the pattern, not the path; `status` the number sent. */
  httpRequests: Counter<'method' | 'route' | 'status'>;
  /** From the arrival of a request to the end of its answer, or to the beginning of a realtime session, in seconds. */
  httpDuration: Histogram<'method' | 'route' | 'status'>;
  /** Requests under way. */
  httpInFlight: Gauge;
  /** Requests of text that an upstream did not answer, whether another one did or not. */
  upstreamFailures: Counter<'upstream' | 'code'>;
  /** Tokens of answers that are over, by the upstream that told them. */
  textTokens: Counter<'upstream' | 'direction'>;
  /** Realtime sessions that are open. */
  realtimeSessions: Gauge;
  /** How long they were, in seconds. */
  realtimeDuration: Histogram;
  /** Media type of {@link render}'s text. */
  contentType: string;
  /** Writes all metrics in the text format of Prometheus. */
  render: () => Promise<string>;
}

/** What to measure beside HTTP. */
export interface MetricsOptions {
  /** Memory, processor time and event loop of the process. Default: no; sampling them costs a timer. */
  processMetrics?: boolean;
}

/** From 5 ms, an answer out of a record, to 120 s, the longest wait for a generation. */
const DURATION_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** From a word to the longest session that the defaults allow. */
const SESSION_SECONDS = [1, 5, 15, 60, 300, 900, 1800, 3600];

/** Makes a set of metrics in a registry of its own, so that two APIs in one process do not mix. */
export function createMetrics({ processMetrics = false }: MetricsOptions = {}): Metrics {
  // Loaded only here: it takes most of a start's time, and many processes count nothing.
  const require = createRequire(import.meta.url);
  // What require returns has no type of its own; this is the module's.
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
      help: 'Seconds from the arrival of a request to the end of its answer, or to the beginning of a realtime session.',
      labelNames,
      buckets: DURATION_SECONDS,
      registers,
    }),
    httpInFlight: new client.Gauge({
      name: 'sluice_http_requests_in_flight',
      help: 'HTTP requests under way.',
      registers,
    }),
    upstreamFailures: new client.Counter({
      name: 'sluice_upstream_failures_total',
      help: 'Text requests, direct calls and realtime sessions that an upstream did not answer.',
      labelNames: ['upstream', 'code'] as const,
      registers,
    }),
    textTokens: new client.Counter({
      name: 'sluice_text_tokens_total',
      help: 'Tokens of finished text answers, direct calls and realtime sessions, as upstreams told them.',
      labelNames: ['upstream', 'direction'] as const,
      registers,
    }),
    realtimeSessions: new client.Gauge({
      name: 'sluice_realtime_sessions',
      help: 'Realtime sessions that are open.',
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
