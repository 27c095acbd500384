import {
  invalidParam,
  parseUsageReport,
  readUsagePage,
  showUsagePage,
  usageCsv,
  type UsageFilter,
  type UsageQuery,
  UsageReportFields,
} from '@sluice/ledger';
import { z } from 'zod';
import { defineUsageEndpoint, type UsageCall } from './usage-endpoint.ts';
import { UsageListSchema } from './usage-response.ts';

const CSV = 'text/csv; charset=utf-8';

const QuerySchema = UsageReportFields.extend({
  format: z.enum(['json', 'csv']).optional().describe('Default: `csv` if `Accept` is text/csv, otherwise `json`.'),
});

export const USAGE_REPORT = defineUsageEndpoint({
  path: '/v1/usage',
  operationId: 'reportUsage',
  summary: 'Report the requests, usage, and cost of this key, or of all keys with the admin key',
  query: QuerySchema,
  response: {
    description: 'The sums of each group, sorted by the groups',
    content: { 'application/json': UsageListSchema, 'text/csv': z.string() },
  },
  serve: async ({ ledger, now }, call) => {
    const { format, ...params } = call.query;
    const isCsv = wantsCsv(format, call);
    const { query, ...shown } = parseUsageReport(params, now());
    const report = { ...shown, query: { ...query, filters: ownFilters(query.filters, call) } };
    const page = await readUsagePage(ledger, report);
    return {
      body: isCsv ? usageCsv(page, report) : showUsagePage(page, report),
      ...(isCsv && { mediaType: CSV }),
      ...(page.next !== undefined && { next: ['after', page.next] as const }),
    };
  },
});

function wantsCsv(format: unknown, { accept }: UsageCall): boolean {
  if (format === undefined) return /\btext\/csv\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept);
  if (format === 'json' || format === 'csv') return format === 'csv';
  throw invalidParam('format', 'must be json or csv');
}

/** @throws GatewayError if an API key requests the usage of another key */
export function ownFilters(
  filters: UsageQuery['filters'],
  { owner }: Pick<UsageCall, 'owner'>,
  param: UsageFilter | 'api_key_ids' = 'key',
): UsageQuery['filters'] {
  if (owner === undefined) return filters;
  if ([filters.key ?? owner].flat().some((name) => name !== owner)) {
    throw invalidParam(param, 'must be the name of the API key of the request. Only the admin key reads other keys');
  }
  return { ...filters, key: owner };
}
