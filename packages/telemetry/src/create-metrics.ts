import { createRequire } from 'node:module';
import type PromClient from 'prom-client';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type BoundedCounter, boundedCounter, type BoundedHistogram, boundedHistogram } from './bounded-metrics.ts';
import { type ConfigMetrics, configMetrics } from './config-metrics.ts';
import { credentialMetrics, type CredentialMetrics } from './credential-metrics.ts';
import { type FileMetrics, fileMetrics } from './file-metrics.ts';
import { type MetricsSnapshot, sumSnapshots } from './metrics-snapshot.ts';
import { type MetricFamily, type MetricsFormat, renderFamilies } from './render-families.ts';
import { type RequestMetrics, requestMetrics } from './request-metrics.ts';
import { type UpstreamMetrics, upstreamMetrics } from './upstream-metrics.ts';

/** Labels can only have a limited number of values, so ids and names that clients send are never labels. */
export interface Metrics extends RequestMetrics, UpstreamMetrics, CredentialMetrics, ConfigMetrics, FileMetrics {
  registry: Registry;
  httpRequests: BoundedCounter<'method' | 'route' | 'status'>; // `route` is the route's pattern, not the requested path.
  httpDuration: BoundedHistogram<'method' | 'route' | 'status'>;
  httpInFlight: { inc(): void; dec(): void };
  /** Upstream calls that failed, even if another upstream then served the request. */
  upstreamFailures: Counter<'upstream' | 'code'>;
  /** Conversations pinned to an upstream that is not their first choice. */
  affinityPins: Gauge<'upstream'>;
  textTokens: BoundedCounter<'upstream' | 'direction'>;
  /** Ledger entries of requests that were lost before they reached Redis. */
  ledgerDropped: Counter;
  auditLost: Counter;
  realtimeSessions: Gauge;
  realtimeDuration: Histogram;
  /** 0 means closed, 1 means half-open, and 2 means open. */
  circuitState: Gauge<'upstream' | 'operation'>;
  circuitOpenSeconds: Gauge<'upstream' | 'operation'>;
  storageAvailable: Gauge;
  /** Registers a function that sets gauges before the metrics are rendered. */
  beforeRender: (collect: () => void) => void;
  render: (options?: RenderOptions) => Promise<string>;
  snapshot: () => Promise<MetricsSnapshot>;
}

export interface RenderOptions {
  /** Includes the families that name models and API keys. True by default. */
  withNames?: boolean;
  /** The metrics of other processes, which are added. */
  others?: readonly MetricsSnapshot[];
  /** Further families, which are appended. */
  appended?: readonly MetricFamily[];
  format?: MetricsFormat;
}

export interface MetricsOptions {
  processMetrics?: boolean; // Memory, CPU time, and event loop metrics. False by default.
}

/** From 5 ms (a response that only needs Redis) to 120 s (the longest generation). */
const DURATION_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** From one sentence to the default session limit. */
const SESSION_SECONDS = [1, 5, 15, 60, 300, 900, 1800, 3600];

/** With several processes, the worst value of them. */
function routingMetrics(
  client: typeof PromClient,
  registers: PromClient.Registry[],
): Pick<Metrics, 'circuitState' | 'circuitOpenSeconds'> & CredentialMetrics {
  return {
    ...credentialMetrics(client, registers),
    circuitState: new client.Gauge({
      name: 'sluice_circuit_breaker_state',
      help: 'State of the circuit breaker: 0 closed, 1 half-open, 2 open.',
      labelNames: ['upstream', 'operation'] as const,
      registers,
      aggregator: 'max',
    }),
    circuitOpenSeconds: new client.Gauge({
      name: 'sluice_circuit_breaker_open_seconds',
      help: 'Time until an open circuit breaker admits a call. 0 if it is not open.',
      labelNames: ['upstream', 'operation'] as const,
      registers,
      aggregator: 'max',
    }),
  };
}

function lossMetrics(
  client: typeof PromClient,
  registers: PromClient.Registry[],
): Pick<Metrics, 'ledgerDropped' | 'auditLost'> {
  return {
    ledgerDropped: new client.Counter({
      name: 'sluice_ledger_dropped_entries_total',
      help: 'Ledger entries that were lost because Redis was unavailable.',
      registers,
    }),
    auditLost: new client.Counter({
      name: 'sluice_audit_lost_entries_total',
      help: 'Entries of the audit log that were lost because Redis was unavailable.',
      registers,
    }),
  };
}

/** Creates metrics with a separate registry, so that two APIs in one process do not share any. */
export function createMetrics({ processMetrics = false }: MetricsOptions = {}): Metrics {
  // Loaded lazily, because it takes most of the start-up time and many processes have no metrics.
  const require = createRequire(import.meta.url);
  // `require` is untyped; this is the module's type.
  const client = require('prom-client') as typeof PromClient;
  const registry = new client.Registry();
  const registers = [registry];
  const labelNames = ['method', 'route', 'status'] as const;
  if (processMetrics) client.collectDefaultMetrics({ register: registry });
  const named = new client.Registry();
  const target = { client, registry: named };
  const unnamed = { client, registry };
  return {
    registry,
    ...requestMetrics(target),
    ...upstreamMetrics(target),
    ...configMetrics(client, registry),
    httpRequests: boundedCounter(unnamed, {
      name: 'sluice_http_requests_total',
      help: 'Finished HTTP requests.',
      labelNames,
    }),
    httpDuration: boundedHistogram(
      unnamed,
      {
        name: 'sluice_http_request_duration_seconds',
        help: 'Seconds from the arrival of a request to the end of its response, or to the start of a realtime session.',
        labelNames,
      },
      DURATION_SECONDS,
    ),
    httpInFlight: inFlightGauge(client, registry),
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
    ...lossMetrics(client, registers),
    textTokens: boundedCounter(unnamed, {
      name: 'sluice_text_tokens_total',
      help: 'Tokens of finished text responses, direct calls, and realtime sessions, as reported by upstreams.',
      labelNames: ['upstream', 'direction'],
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
    ...routingMetrics(client, registers),
    ...fileMetrics(client, registers),
    storageAvailable: new client.Gauge({
      name: 'sluice_storage_available',
      help: "Whether this process' last probe of the content store succeeded.",
      registers,
      aggregator: 'min',
    }),
    ...rendering(registry, named),
  };
}

type Rendering = Pick<Metrics, 'beforeRender' | 'render' | 'snapshot'>;

/** @param named the families that name models and API keys */
function rendering(registry: Registry, named: Registry): Rendering {
  const collectors: (() => void)[] = [];
  const snapshot = async (): Promise<MetricsSnapshot> => {
    for (const collect of collectors) collect();
    return { families: await registry.getMetricsAsJSON(), named: await named.getMetricsAsJSON() };
  };
  return {
    beforeRender: (collect) => void collectors.push(collect),
    render: async ({ withNames = true, others = [], appended = [], format = 'prometheus' } = {}) => {
      const own = await snapshot();
      const { families, named: withLabels } = others.length > 0 ? await sumSnapshots([own, ...others]) : own;
      return renderFamilies([...families, ...(withNames ? withLabels : []), ...appended], format);
    },
    snapshot,
  };
}

/** Counts in a plain field, because the client's gauge is slower. */
function inFlightGauge(client: typeof PromClient, registry: Registry): { inc(): void; dec(): void } {
  let requests = 0;
  const gauge: Gauge = new client.Gauge({
    name: 'sluice_http_requests_in_flight',
    help: 'HTTP requests in flight.',
    registers: [registry],
    collect: () => gauge.set(requests),
  });
  return { inc: () => (requests += 1), dec: () => (requests -= 1) };
}
