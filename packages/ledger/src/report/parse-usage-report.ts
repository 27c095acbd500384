import type { UsageDimension, UsageFilter, UsageQuery } from '../store/ledger-store.ts';
import { decodeGroupCursor } from './group-cursor.ts';
import { invalidParam, parseFields } from './parse-fields.ts';
import { parseTime } from './parse-time.ts';
import { UsageReportFields } from './report-fields.ts';
import { USAGE_METRICS, type UsageMetric } from './usage-metrics.ts';
import { startOfDay } from './zoned-time.ts';

const HOUR_MS = 3_600_000;
const MAX_PERIOD_MS = 3_660 * 24 * HOUR_MS;
const DEFAULT_DAYS = 7;

/** A validated report. `query` has no `limit`, because a page reads one more row than it shows. */
export interface UsageReport {
  query: UsageQuery;
  metrics: readonly UsageMetric[];
  limit: number;
}

/**
 * Validates the parameters of a report.
 * @param now Unix milliseconds
 * @throws GatewayError `invalid_request`
 */
export function parseUsageReport(params: object, now: number): UsageReport {
  const fields = parseFields(UsageReportFields, params);
  const { metric: metrics = USAGE_METRICS, group_by: groupBy = [], time_zone: timeZone, limit, after } = fields;
  const { key, model, upstream, endpoint, user, label } = fields;
  const filters = withoutMissing({ key, model, upstream, endpoint, user, label });
  const period = parsePeriod({ start: fields.start_time, end: fields.end_time }, timeZone, now);
  const group = after === undefined ? undefined : readCursor(groupBy, after);
  return { query: { ...period, groupBy, timeZone, filters, ...(group && { after: group }) }, metrics, limit };
}

/**
 * The default end is the end of the current hour, so that the report needs only rollups.
 * @throws GatewayError `invalid_request`
 */
function parsePeriod(
  texts: { start: string | undefined; end: string | undefined },
  timeZone: string,
  now: number,
): { start: number; end: number } {
  const end =
    texts.end === undefined ? (Math.floor(now / HOUR_MS) + 1) * HOUR_MS : readTime('end_time', texts.end, timeZone);
  const start =
    texts.start === undefined
      ? startOfDay(end - 1, timeZone, DEFAULT_DAYS - 1)
      : readTime('start_time', texts.start, timeZone);
  if (start >= end) throw invalidParam('start_time', 'must be before end_time');
  if (end - start > MAX_PERIOD_MS) throw invalidParam('start_time', 'must be at most 3660 days before end_time');
  return { start, end };
}

function readTime(param: string, text: string, timeZone: string): number {
  const time = parseTime(text, timeZone);
  if ('problem' in time) throw invalidParam(param, time.problem);
  return time.at;
}

function readCursor(groupBy: readonly UsageDimension[], cursor: string): NonNullable<UsageQuery['after']> {
  const group = decodeGroupCursor(groupBy, cursor);
  if (group) return group;
  throw invalidParam('after', 'must be `next` of the previous page, with the same group_by');
}

function withoutMissing(filters: Readonly<Record<UsageFilter, readonly string[] | undefined>>): UsageQuery['filters'] {
  return Object.fromEntries(Object.entries(filters).filter(([, values]) => values !== undefined));
}
