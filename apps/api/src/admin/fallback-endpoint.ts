import { invalidParam } from '@sluice/ledger';
import { z } from 'zod';
import { PeriodFields, readPeriod } from '../metering/request-search.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 100;

export const FallbackListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z.object({
        upstream: z.string().describe('The upstream that failed.'),
        start_time: z.int().describe('Start of the hour, in Unix seconds.'),
        failures: z.int().describe('Failed calls.'),
      }),
    ),
  })
  .meta({ id: 'AdminFallbackList' });

/** The errors of an upstream in `GET /v1/usage` are those of requests that failed. These are the other ones. */
export const FALLBACK_ENDPOINT = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/upstreams/fallbacks',
  operationId: 'adminListFallbacks',
  summary: 'Count the failed calls after which requests had another attempt, by hour and upstream',
  query: z.strictObject(PeriodFields),
  response: { status: 200, description: 'The counts, by time', schema: FallbackListSchema },
  errors: ['not_found', 'store_unavailable'],
  serve: async ({ ledger, now }, { query: { start_time, end_time } }) => {
    const { end = now(), start = end - DAY_MS } = readPeriod({ start_time, end_time });
    if (start >= end) throw invalidParam('start_time', 'must be before end_time');
    if (end - start > MAX_DAYS * DAY_MS) throw invalidParam('start_time', 'must be at most 100 days before end_time');
    const found = await ledger.fallbacks({ start, end });
    const data = found.map(({ at, upstream, failures }) => ({ upstream, start_time: at / 1_000, failures }));
    return { object: 'list', data };
  },
});
