import { type EntryFilters, type HistogramBar, invalidParam } from '@sluice/ledger';
import { z } from 'zod';
import type { LedgerReader } from '../ledger-reader.ts';
import { filtersOf, readPeriod, type RequestFilterSchema } from '../request-search.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
/** Times of a bar. Bars of a day begin at midnight UTC. */
const STEPS_MS = [
  1_000,
  5_000,
  10_000,
  30_000,
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 7, 30].map((days) => days * DAY_MS),
];
const MAX_BARS = 120;
const DEFAULT_MS = DAY_MS;

/** The filters of hourly sums, which are much faster to read than single entries. */
const SUMMED: ReadonlySet<string> = new Set(['key', 'model', 'upstream', 'user', 'label']);

export const RequestHistogramSchema = z
  .object({
    object: z.literal('usage.histogram'),
    start_time: z.int().describe('Start of the first bar, in Unix seconds.'),
    end_time: z.int().describe('End of the period, in Unix seconds.'),
    step_seconds: z.int().describe(`Time of a bar. There are at most ${MAX_BARS}.`),
    data: z
      .array(
        z.object({
          time: z.int().describe('Start of the bar, in Unix seconds.'),
          entries: z.int().describe('Number of requests and tasks.'),
          errors: z.int().describe('The part of them with an error.'),
        }),
      )
      .describe('Bars without entries are omitted.'),
  })
  .meta({ id: 'RequestHistogram' });

/** @throws GatewayError `invalid_request`, `not_found` if the ledger is disabled, `store_unavailable` */
export async function requestHistogram(
  ledger: Pick<LedgerReader, 'usage' | 'histogram'>,
  { start_time, end_time, ...search }: z.output<typeof RequestFilterSchema>,
  now: number,
): Promise<z.input<typeof RequestHistogramSchema>> {
  const period = readPeriod({ start_time, end_time });
  const end = period.end ?? now;
  const from = period.start ?? end - DEFAULT_MS;
  if (from >= end) throw invalidParam('start_time', 'must be before end_time');
  const stepMs = STEPS_MS.find((step) => (end - from) / step < MAX_BARS);
  if (stepMs === undefined) throw invalidParam('start_time', 'is too long before end_time');
  // Bars begin at multiples of their time, but count only the entries of the list.
  const query = { start: from, end, stepMs, filters: filtersOf(search) };
  const hasSums = stepMs >= HOUR_MS && Object.keys(query.filters).every((name) => SUMMED.has(name));
  const bars = hasSums ? await sumBars(ledger, query) : await ledger.histogram(query);
  return {
    object: 'usage.histogram',
    start_time: Math.floor((from - (from % stepMs)) / 1_000),
    end_time: Math.ceil(end / 1_000),
    step_seconds: stepMs / 1_000,
    data: bars.map(({ at, entries, errors }) => ({ time: Math.floor(at / 1_000), entries, errors })),
  };
}

async function sumBars(
  ledger: Pick<LedgerReader, 'usage'>,
  { start, end, stepMs, filters }: { start: number; end: number; stepMs: number; filters: EntryFilters },
): Promise<HistogramBar[]> {
  const { key, model, upstream, user, label } = filters;
  const present = Object.entries({ key, model, upstream, user, label }).filter(([, value]) => value !== undefined);
  const rows = await ledger.usage({
    start,
    end,
    groupBy: ['hour'],
    timeZone: 'UTC',
    filters: Object.fromEntries(present),
  });
  const bars = new Map<number, HistogramBar>();
  for (const { group, requests, tasks, errors } of rows) {
    const hour = Date.parse(group.hour ?? '');
    const at = hour - (hour % stepMs);
    const bar = bars.get(at) ?? { at, entries: 0, errors: 0 };
    bars.set(at, { at, entries: bar.entries + requests + tasks, errors: bar.errors + errors });
  }
  return [...bars.values()];
}
