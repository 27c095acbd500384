import { orList } from '@sluice/canonical';
import { FilterSchema, invalidParam, parseFields, type UsageQuery } from '@sluice/ledger';
import { z } from 'zod';
import type { UsageCall } from './usage-endpoint.ts';
import { ownFilters } from './usage-report.ts';
import type { Group, UsageKind } from './organization-kinds.ts';

const WIDTHS_MS = { '1h': 3_600_000, '1d': 86_400_000 } as const;

/** Default and maximum number of buckets in a page, as in OpenAI's API. */
const LIMITS = { '1h': { byDefault: 24, max: 168 }, '1d': { byDefault: 7, max: 31 } } as const;
const MAX_COST_DAYS = 180;

/** A page of buckets. Times are in Unix milliseconds and limits of buckets. */
export interface BucketsQuery {
  start: number;
  end: number;
  widthMs: number;
  groups: readonly Group[];
  filters: UsageQuery['filters'];
  /** `page` of the next page, if there is one. */
  next: string | undefined;
}

const seconds = z.coerce
  .number('must be Unix seconds')
  .int('must be Unix seconds')
  .min(0, 'must be Unix seconds')
  .max(9_999_999_999, 'must be Unix seconds, not milliseconds');

/** The parameters of a report. */
export function bucketsSchema({ path, groups }: UsageKind) {
  const isCosts = path === 'costs';
  const widths = isCosts ? (['1d'] as const) : (['1d', '1h'] as const);
  const wrongGroup = `must be ${orList(groups)}`;
  const filter = FilterSchema.optional();
  return z.strictObject({
    start_time: seconds.meta({
      description: 'Unix seconds. The first bucket contains this time.',
      example: 1_793_491_200,
    }),
    end_time: seconds.optional().describe('Unix seconds, exclusive. Default: now.'),
    bucket_width: z
      .enum(widths, `must be ${orList(widths)}`)
      .default('1d')
      .describe('Buckets begin at full hours or days in UTC.'),
    group_by: z
      .union([z.string(), z.array(z.string())], wrongGroup)
      .transform((value) => [value].flat().flatMap((names) => names.split(',')))
      .pipe(z.array(z.enum(groups, wrongGroup), wrongGroup))
      .default([])
      .describe('Can be repeated. Results have null for a group that the ledger does not have.'),
    limit: z.coerce.number('must be an integer').int('must be an integer').min(1, 'must be at least 1').optional(),
    page: z.string('must be sent once').optional().describe('`next_page` of the previous page.'),
    api_key_ids: filter.describe('Names of API keys. This filter and the next ones can be repeated.'),
    ...(isCosts
      ? { line_items: filter.describe('Models.') }
      : { models: filter, user_ids: filter.describe('End users, as reports show them.') }),
  });
}

/** Filters that only some reports have. */
interface OwnFilters {
  models?: string[] | undefined;
  user_ids?: string[] | undefined;
  line_items?: string[] | undefined;
}

/** @throws GatewayError `invalid_request` */
export function parseBucketsQuery(kind: UsageKind, call: UsageCall, now: number): BucketsQuery {
  const fields = parseFields(bucketsSchema(kind), call.query);
  const { bucket_width: width, group_by: groups, api_key_ids: key } = fields;
  const widthMs = WIDTHS_MS[width];
  const { line_items: lineItems, models: model = lineItems, user_ids: user }: OwnFilters = fields;
  const filters = {
    ...(key && { key }),
    ...(model && { model }),
    ...(user && { user }),
  };
  const first = Math.floor((fields.start_time * 1_000) / widthMs) * widthMs;
  const end = Math.ceil((fields.end_time === undefined ? now + 1 : fields.end_time * 1_000) / widthMs) * widthMs;
  if (fields.start_time * 1_000 >= end) throw invalidParam('start_time', 'must be before end_time');
  const start = fields.page === undefined ? first : readPage(fields.page, { first, end, widthMs });
  const pageEnd = start + limitOf(kind, width, fields.limit) * widthMs;
  return {
    start,
    end: Math.min(end, pageEnd),
    widthMs,
    groups,
    filters: ownFilters(filters, call, 'api_key_ids'),
    next: pageEnd < end ? `page_${pageEnd / 1_000}` : undefined,
  };
}

function limitOf({ path }: UsageKind, width: keyof typeof LIMITS, requested: number | undefined): number {
  const { byDefault, max: maxOfWidth } = LIMITS[width];
  const max = path === 'costs' ? MAX_COST_DAYS : maxOfWidth;
  if (requested !== undefined && requested > max) throw invalidParam('limit', `must be at most ${max}`);
  return requested ?? byDefault;
}

function readPage(page: string, { first, end, widthMs }: { first: number; end: number; widthMs: number }): number {
  const start = Number(/^page_(\d{1,10})$/.exec(page)?.[1] ?? Number.NaN) * 1_000;
  if (start >= first && start < end && start % widthMs === 0) return start;
  throw invalidParam('page', 'must be `next_page` of the previous page, with the same parameters');
}
