import { BATCH_ID, batchResultIds, GatewayError, TASK_STATUSES } from '@sluice/canonical';
import {
  type EntryFilters,
  invalidParam,
  isLateUsage,
  LabelSchema,
  MAX_VALUE_LENGTH,
  parseTime,
  showEntry,
} from '@sluice/ledger';
import { z } from 'zod';
import { showPage } from '../schemas/pages.ts';
import type { LedgerReader } from './ledger-reader.ts';

const NANOS_PER_DOLLAR = 1e9;
/** A request id can have several entries, e.g. of the request and of the task that it created. */
const MAX_ENTRIES_OF_ID = 10;

const STATUS = new RegExp(`^(?:ok|error|[1-5][0-9]{2}|${TASK_STATUSES.join('|')})$`);

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

/** The period of a list, as text. */
export const PeriodFields = {
  start_time: text().describe('Unix seconds, an RFC 3339 time, or a date in UTC.'),
  end_time: text().describe('Exclusive.'),
};

export const RequestFilterSchema = z.strictObject({
  id: text().describe("Id of an entry, of a request (the response's `x-request-id`), or of a task."),
  batch: z
    .string('must be sent once')
    .regex(BATCH_ID, 'must be the id of a batch')
    .optional()
    .describe('Id of a batch, to find its requests.'),
  key: text().describe('Name of an API key.'),
  model: text().describe("The model id of the client's request."),
  upstream: text(),
  user: text().describe('End user, as entries show it.'),
  label: LabelSchema.optional().describe('NAME=VALUE.'),
  type: z.enum(['request', 'task']).optional(),
  status: z
    .string('must be sent once')
    .regex(STATUS, 'must be ok, error, an HTTP status, or a state of a task such as completed')
    .optional()
    .describe('`ok`, `error`, an HTTP status, or a state of a task.'),
  min_cost_usd: amount(1_000_000).describe('Minimum cost, in US dollars.'),
  min_duration_ms: amount(1e12).describe('Minimum duration, in milliseconds.'),
  min_first_event_ms: amount(1e12).describe('Minimum time to the first event, in milliseconds.'),
  ...PeriodFields,
});

/** The parameters of a list of requests. */
export const RequestSearchSchema = RequestFilterSchema.extend({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number of entries in a page.'),
  after: text().describe('`next` of the previous page.'),
});

export type RequestSearch = z.output<typeof RequestSearchSchema>;

/** @throws GatewayError `invalid_request`; `not_found` if the ledger is disabled; `store_unavailable` */
export async function searchRequests(
  ledger: Pick<LedgerReader, 'entries'>,
  { start_time, end_time, limit, after, ...search }: RequestSearch,
) {
  const { entries, next } = await ledger.entries({
    filters: filtersOf(search),
    limit,
    ...readPeriod({ start_time, end_time }),
    ...(after !== undefined && { after }),
  });
  return showPage(entries.map(showEntry), next);
}

/**
 * Finds the entry of a request or task.
 * @param key only entries of this API key
 * @throws GatewayError `not_found`, `store_unavailable`
 */
export async function retrieveRequest(ledger: Pick<LedgerReader, 'entries'>, id: string, key?: string) {
  const filters = { id, ...(key !== undefined && { key }) };
  const { entries } = await ledger.entries({ filters, limit: MAX_ENTRIES_OF_ID });
  const entry =
    entries.find((one) => one.id === id) ??
    entries.find((one) => one.taskId === id && one.type === 'task') ??
    entries.find((one) => one.type === 'request' && !isLateUsage(one)) ??
    entries[0];
  if (entry) return showEntry(entry);
  throw new GatewayError(
    'not_found',
    'The ledger has no such request or task. Entries appear a few seconds after their end, and are deleted after `ledger.entries_days`.',
  );
}

/** Returns a period in Unix milliseconds. @throws GatewayError `invalid_request` */
export function readPeriod(period: { start_time: string | undefined; end_time: string | undefined }): {
  start?: number;
  end?: number;
} {
  const start = readTime('start_time', period.start_time);
  const end = readTime('end_time', period.end_time);
  if (start !== undefined && end !== undefined && start >= end) {
    throw invalidParam('start_time', 'must be before end_time');
  }
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}

export function filtersOf({
  min_cost_usd: minCost,
  min_duration_ms: minDurationMs,
  min_first_event_ms: minFirstEventMs,
  batch,
  ...exact
}: Omit<z.output<typeof RequestFilterSchema>, 'start_time' | 'end_time'>): EntryFilters {
  const filters = {
    ...exact,
    minCostNanos: minCost === undefined ? undefined : Math.round(minCost * NANOS_PER_DOLLAR),
    minDurationMs,
    minFirstEventMs,
    requestIds: batch === undefined ? undefined : batchResultIds(batch),
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

/** @throws GatewayError `invalid_request` */
function readTime(param: string, time: string | undefined): number | undefined {
  if (time === undefined) return undefined;
  const parsed = parseTime(time, 'UTC');
  if ('problem' in parsed) throw invalidParam(param, parsed.problem);
  return parsed.at;
}
