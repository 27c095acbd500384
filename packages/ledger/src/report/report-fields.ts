import { orList } from '@sluice/canonical';
import { z } from 'zod';
import { USAGE_DIMENSIONS } from '../store/ledger-store.ts';
import { USAGE_METRICS } from './usage-metrics.ts';
import { knownTimeZone } from './zoned-time.ts';

const MAX_GROUPS = 2;
export const MAX_ROWS = 10_000;
const MAX_VALUES = 100;
export const MAX_VALUE_LENGTH = 512;
const MAX_CURSOR_LENGTH = 4_096;

/** A parameter that can be repeated. */
const Repeated = z.union([z.string(), z.array(z.string())], 'must be text').transform((value) => [value].flat());

/** A comma-separated list of names from a fixed set. */
function names<const T extends string>(known: readonly T[]) {
  return Repeated.transform((values, context) => {
    const listed = new Set(values.flatMap((value) => value.split(',')).map((name) => name.trim()));
    const found = known.filter((name) => listed.has(name));
    if (found.length !== listed.size) return rejectValue(context, values, `must be ${orList(known)}`);
    // In the order of the request.
    return [...listed].flatMap((name) => found.filter((one) => one === name));
  });
}

const GroupBy = names(USAGE_DIMENSIONS)
  .refine((groups) => !(groups.includes('day') && groups.includes('hour')), 'must not be both day and hour')
  .refine(
    (groups) => groups.filter((name) => name !== 'day' && name !== 'hour').length <= MAX_GROUPS,
    `must be at most ${MAX_GROUPS} names, and day or hour`,
  );

const badLength = `must be 1 to ${MAX_VALUE_LENGTH} characters`;
const FilterValue = z.string().min(1, badLength).max(MAX_VALUE_LENGTH, badLength);

/** Values of which one must match. */
export const FilterSchema = z
  .union([FilterValue, z.array(FilterValue).max(MAX_VALUES, `must be at most ${MAX_VALUES} values`)], 'must be text')
  .transform((value) => [value].flat());

const notLabel = 'must be NAME=VALUE, such as team=search';

export const LabelSchema = z
  .string('must be sent once')
  .max(MAX_VALUE_LENGTH, `must be at most ${MAX_VALUE_LENGTH} characters`)
  .regex(/^[^=]+=/, notLabel);

const LabelFilterSchema = FilterSchema.refine((values) => values.every((value) => /^[^=]+=/.test(value)), notLabel);

const TimeZoneSchema = z
  .string('must be sent once')
  .max(64, 'must be the IANA name of a time zone')
  .transform((name, context) => {
    const known = knownTimeZone(name);
    return known ?? rejectValue(context, name, 'must be the IANA name of a time zone, such as Europe/Berlin');
  });

const CursorSchema = z.string('must be sent once').max(MAX_CURSOR_LENGTH, 'must be `next` of the previous page');

const time = (what: string) => z.string('must be sent once').optional().describe(what);

function limitSchema(max: number, byDefault: number) {
  const problem = `must be an integer from 1 to ${max}`;
  return z.coerce.number(problem).int(problem).min(1, problem).max(max, problem).default(byDefault);
}

/** The parameters of a usage report, as text. The usage endpoint and the command line share them. */
export const UsageReportFields = z.strictObject({
  metric: names(USAGE_METRICS)
    .optional()
    .describe(
      'Comma-separated metrics. Each row also has requests, input and output tokens, the cost, and the number of unpriced ones. Default: all metrics.',
    ),
  group_by: GroupBy.optional().describe(
    'At most two dimensions, and `day` or `hour`, comma-separated. Default: one row with the totals.',
  ),
  key: FilterSchema.optional().describe('Names of API keys. This filter and the next ones can be repeated.'),
  model: FilterSchema.optional().describe("Model ids of the clients' requests."),
  upstream: FilterSchema.optional(),
  endpoint: FilterSchema.optional().describe('Method and path, such as `POST /v1/chat/completions`.'),
  user: FilterSchema.optional().describe('End users, as reports show them.'),
  label: LabelFilterSchema.optional().describe('Labels, as NAME=VALUE.'),
  start_time: time(
    'Unix seconds, an RFC 3339 time, or a date. Default: the start of the day, six days before the end.',
  ),
  end_time: time('Exclusive. Default: now.'),
  time_zone: TimeZoneSchema.default('UTC').describe('IANA name, for days, hours, and dates.'),
  limit: limitSchema(MAX_ROWS, 1_000).describe('Maximum number of rows.'),
  after: CursorSchema.optional().describe('`next` of the previous page.'),
});

function rejectValue(context: z.core.$RefinementCtx, input: unknown, message: string): never {
  context.issues.push({ code: 'custom', message, input });
  return z.NEVER;
}
