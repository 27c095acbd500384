import { z } from 'zod';
import { validateInput } from '../http/validate-input.ts';
import { LedgerEntrySchema, LedgerPageSchema } from '../metering/ledger-response.ts';
import { exportRequests, MAX_EXPORTED } from '../metering/reports/export-requests.ts';
import { requestHistogram, RequestHistogramSchema } from '../metering/reports/request-histogram.ts';
import {
  PeriodFields,
  readPeriod,
  RequestFilterSchema,
  RequestSearchSchema,
  retrieveRequest,
  searchRequests,
} from '../metering/request-search.ts';
import { defineUsageEndpoint, type UsageCall, type UsageEndpoint } from './usage-endpoint.ts';
import { ownFilters } from './usage-report.ts';

/** Newest requests that the percentiles are computed of. */
const MAX_SAMPLE = 1_000;

const NothingSchema = z.strictObject({});
const LatencyQuerySchema = z.strictObject({
  ...PeriodFields,
  model: RequestSearchSchema.shape.model,
  upstream: RequestSearchSchema.shape.upstream,
});

const PercentilesSchema = z
  .object({ p50: z.number(), p95: z.number() })
  .optional()
  .describe('In milliseconds. Absent without requests.');

export const LatencySchema = z
  .object({
    object: z.literal('usage.latency'),
    sample: z.number().describe(`Number of requests: the newest successful ones of the period, at most ${MAX_SAMPLE}.`),
    first_event_ms: PercentilesSchema.describe('Time to the first event of a stream, or to the response.'),
    duration_ms: PercentilesSchema.describe('Time to the end of the response.'),
  })
  .meta({ id: 'UsageLatency' });

const ExportQuerySchema = RequestFilterSchema.extend({ format: z.enum(['csv', 'json']).default('csv') });
const ExportSchema = LedgerPageSchema.pick({ object: true, data: true }).meta({ id: 'RequestExport' });

/** Single requests and their latency, of the key of the request, or of all keys with the admin key. */
export const REQUEST_ENDPOINTS: readonly UsageEndpoint[] = [
  defineUsageEndpoint({
    path: '/v1/requests',
    operationId: 'listRequests',
    summary: "Find this key's requests and tasks in the usage ledger, newest first",
    query: RequestSearchSchema,
    response: { description: 'A page of entries', content: { 'application/json': LedgerPageSchema } },
    serve: async ({ ledger }, call) => {
      const query = validateInput(RequestSearchSchema, call.query, 'query');
      return { body: await searchRequests(ledger, { ...query, key: ownKey(query.key, call) }) };
    },
  }),
  defineUsageEndpoint({
    path: '/v1/requests/histogram',
    operationId: 'countRequests',
    summary: "Count this key's requests and tasks over time, with the filters of the list",
    query: RequestFilterSchema,
    response: { description: 'At most 120 bars', content: { 'application/json': RequestHistogramSchema } },
    serve: async ({ ledger, now }, call) => {
      const query = validateInput(RequestFilterSchema, call.query, 'query');
      return { body: await requestHistogram(ledger, { ...query, key: ownKey(query.key, call) }, now()) };
    },
  }),
  defineUsageEndpoint({
    path: '/v1/requests/export',
    operationId: 'exportRequests',
    summary: `Download this key's requests and tasks as CSV or JSON, newest first, at most ${MAX_EXPORTED.toLocaleString('en-US')}`,
    query: ExportQuerySchema,
    response: {
      description: 'The entries',
      content: { 'text/csv': z.string(), 'application/json': ExportSchema },
    },
    serve: async ({ ledger }, call) => {
      const { format, ...query } = validateInput(ExportQuerySchema, call.query, 'query');
      const body = await exportRequests(ledger, { ...query, key: ownKey(query.key, call) }, format);
      return { body, mediaType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8' };
    },
  }),
  defineUsageEndpoint({
    path: '/v1/requests/:id',
    operationId: 'retrieveRequest',
    summary: "Retrieve an entry of this key's requests by its id, request id, or task id",
    query: NothingSchema,
    response: { description: 'The entry', content: { 'application/json': LedgerEntrySchema } },
    serve: async ({ ledger }, { params: { id = '' }, owner, query }) => {
      validateInput(NothingSchema, query, 'query');
      return { body: await retrieveRequest(ledger, id, owner) };
    },
  }),
  defineUsageEndpoint({
    path: '/v1/usage/latency',
    operationId: 'reportLatency',
    summary: "Report percentiles of the latency of this key's newest requests, or of all keys with the admin key",
    query: LatencyQuerySchema,
    response: { description: 'The percentiles', content: { 'application/json': LatencySchema } },
    serve: async ({ ledger }, { owner, query }) => {
      const { start_time, end_time, model, upstream } = validateInput(LatencyQuerySchema, query, 'query');
      const { entries } = await ledger.entries({
        ...readPeriod({ start_time, end_time }),
        filters: {
          type: 'request',
          status: 'ok',
          ...(owner !== undefined && { key: owner }),
          ...(model !== undefined && { model }),
          ...(upstream !== undefined && { upstream }),
        },
        limit: MAX_SAMPLE,
      });
      const first = percentiles(entries.map(({ firstEventMs, durationMs }) => firstEventMs ?? durationMs));
      const whole = percentiles(entries.map(({ durationMs }) => durationMs));
      const body = { object: 'usage.latency', sample: entries.length, first_event_ms: first, duration_ms: whole };
      return { body };
    },
  }),
];

/** The nearest ranks. */
function percentiles(values: readonly number[]): { p50: number; p95: number } | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return sorted.length === 0 ? undefined : { p50: rank(0.5), p95: rank(0.95) };
}

/** @returns the key whose requests are read; undefined for those of all keys. @throws GatewayError for another key */
function ownKey(key: string | undefined, call: UsageCall): string | undefined {
  // The cast is safe because the filter has the name of one key.
  return ownFilters({ ...(key !== undefined && { key }) }, call).key as string | undefined;
}
