import { GatewayError, TASK_STATUSES } from '@sluice/canonical';
import { type EntryFilters, invalidParam, LabelSchema, MAX_VALUE_LENGTH, parseTime, showEntry } from '@sluice/ledger';
import { z } from 'zod';
import { defineAdminEndpoint } from './admin-endpoint.ts';
import { LedgerEntrySchema, LedgerPageSchema } from './request-response.ts';

const NANOS_PER_DOLLAR = 1e9;
/** A request id can have several entries, e.g. of the request and of the task that it created. */
const MAX_ENTRIES_OF_ID = 10;

const text = () =>
  z
    .string('must be sent once')
    .min(1, 'must not be empty')
    .max(MAX_VALUE_LENGTH, `must be at most ${MAX_VALUE_LENGTH} characters`)
    .optional();
const amount = (max: number) =>
  z
    .string('must be sent once')
    .regex(/^\d{1,12}(\.\d{1,9})?$/, 'must be a number of at least 0')
    .transform(Number)
    .refine((value) => value <= max, `must be at most ${max}`)
    .optional();

const SearchSchema = z.strictObject({
  id: text().describe("Id of an entry, of a request (the response's `x-request-id`), or of a task."),
  key: text().describe('Name of an API key.'),
  model: text().describe("The model id of the client's request."),
  upstream: text(),
  user: text().describe('End user, as entries show it.'),
  label: LabelSchema.optional().describe('NAME=VALUE.'),
  type: z.enum(['request', 'task']).optional(),
  status: text().describe('`ok`, `error`, an HTTP status, or a state of a task.'),
  min_cost_usd: amount(1_000_000).describe('Minimum cost, in US dollars.'),
  min_duration_ms: amount(1e12).describe('Minimum duration, in milliseconds.'),
  start_time: text().describe('Unix seconds, an RFC 3339 time, or a date in UTC.'),
  end_time: text().describe('Exclusive.'),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number of entries in a page.'),
  after: text().describe('`next` of the previous page.'),
});

export const REQUEST_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/requests',
    operationId: 'adminListRequests',
    summary: 'Find requests and tasks in the usage ledger, newest first',
    query: SearchSchema,
    response: { status: 200, description: 'A page of entries', schema: LedgerPageSchema },
    errors: ['not_found', 'rate_limited', 'store_unavailable'],
    serve: async ({ ledger }, { query: { start_time, end_time, limit, after, ...search } }) => {
      const start = readTime('start_time', start_time);
      const end = readTime('end_time', end_time);
      if (start !== undefined && end !== undefined && start >= end) {
        throw invalidParam('start_time', 'must be before end_time');
      }
      const { entries, next } = await ledger.entries({
        filters: filtersOf(search),
        limit,
        ...(start !== undefined && { start }),
        ...(end !== undefined && { end }),
        ...(after !== undefined && { after }),
      });
      const data = entries.map(showEntry);
      return { object: 'list', data, has_more: next !== undefined, ...(next !== undefined && { next }) };
    },
  }),
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/requests/:id',
    operationId: 'adminRetrieveRequest',
    summary: 'Retrieve an entry of the usage ledger by its id, request id, or task id',
    response: { status: 200, description: 'The entry', schema: LedgerEntrySchema },
    errors: ['not_found', 'rate_limited', 'store_unavailable'],
    serve: async ({ ledger }, { params: { id = '' } }) => {
      const { entries } = await ledger.entries({ filters: { id }, limit: MAX_ENTRIES_OF_ID });
      const entry =
        entries.find((one) => one.id === id) ??
        entries.find((one) => one.taskId === id && one.type === 'task') ??
        entries.find((one) => one.type === 'request') ??
        entries[0];
      if (entry) return showEntry(entry);
      throw new GatewayError(
        'not_found',
        'The ledger has no such request or task. Entries appear a few seconds after their end, and are deleted after `ledger.entries_days`.',
      );
    },
  }),
];

function filtersOf({
  status,
  min_cost_usd: minCost,
  min_duration_ms: minDurationMs,
  ...exact
}: Omit<z.output<typeof SearchSchema>, 'start_time' | 'end_time' | 'limit' | 'after'>): EntryFilters {
  const filters = {
    ...exact,
    status: status === undefined ? undefined : checkStatus(status),
    minCostNanos: minCost === undefined ? undefined : Math.round(minCost * NANOS_PER_DOLLAR),
    minDurationMs,
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

/** @throws GatewayError `invalid_request` */
function checkStatus(status: string): string {
  const names: readonly string[] = ['ok', 'error', ...TASK_STATUSES];
  if (names.includes(status) || /^[1-5]\d\d$/.test(status)) return status;
  throw invalidParam('status', 'must be ok, error, an HTTP status, or a state of a task such as completed');
}

/** @throws GatewayError `invalid_request` */
function readTime(param: string, time: string | undefined): number | undefined {
  if (time === undefined) return undefined;
  const parsed = parseTime(time, 'UTC');
  if ('problem' in parsed) throw invalidParam(param, parsed.problem);
  return parsed.at;
}
