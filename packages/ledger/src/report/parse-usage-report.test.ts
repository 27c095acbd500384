import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeGroupCursor } from './group-cursor.ts';
import { parseUsageReport } from './parse-usage-report.ts';
import { USAGE_METRICS } from './usage-metrics.ts';

const NOW = Date.parse('2026-11-23T08:30:00Z');
const parse = (fields: object = {}) => parseUsageReport(fields, NOW);
const at = (text: string) => Date.parse(text);

describe('parseUsageReport', () => {
  it('reports the totals of all metrics of the last seven days by default', () => {
    expect(parse()).toEqual({
      query: {
        start: at('2026-11-17T00:00:00Z'),
        end: at('2026-11-23T09:00:00Z'),
        groupBy: [],
        timeZone: 'UTC',
        filters: {},
      },
      metrics: USAGE_METRICS,
      limit: 1_000,
    });
  });

  it('starts the default period at a day of the time zone', () => {
    const { query } = parse({ time_zone: 'america/new_york', end_time: '2026-11-03T12:00:00Z' });
    expect(query.timeZone).toBe('America/New_York');
    // Daylight saving time ends on November 1.
    expect(query.start).toBe(at('2026-10-28T00:00:00-04:00'));
  });

  it.each([
    ['1790000000', 1_790_000_000_000],
    ['2026-11-01T00:00:00Z', at('2026-11-01T00:00:00Z')],
    ['2026-11-01T00:00:00.5+01:00', at('2026-10-31T23:00:00.5Z')],
    ['2026-11-01T00:00:00 01:00', at('2026-10-31T23:00:00Z')],
    ['2026-11-01', at('2026-10-31T18:30:00Z')],
  ])('reads the time %s', (text, expected) => {
    const { query } = parse({ start_time: text, time_zone: 'Asia/Kolkata' });
    expect(query.start).toBe(expected);
  });

  it.each([
    ['2026-09-06', 'America/Santiago', '2026-09-06T01:00:00-03:00'],
    ['2026-03-08', 'America/Havana', '2026-03-08T01:00:00-04:00'],
    ['2026-04-24', 'Africa/Cairo', '2026-04-24T01:00:00+03:00'],
  ])('begins %s in %s, which has no midnight, after the skipped hour', (date, timeZone, expected) => {
    expect(parse({ start_time: date, end_time: '2026-10-01', time_zone: timeZone }).query.start).toBe(at(expected));
  });

  it('reads lists that are separated by commas or repeated, in their order', () => {
    const report = parse({
      metric: ['images', 'cost,tokens'],
      group_by: 'day, model',
      model: ['a', 'b,c'],
      label: 't=x',
    });
    expect(report).toMatchObject({
      metrics: ['images', 'cost', 'tokens'],
      query: { groupBy: ['day', 'model'], filters: { model: ['a', 'b,c'], label: ['t=x'] } },
    });
  });

  it('continues after the last group of the previous page', () => {
    const after = encodeGroupCursor(['model', 'day'], { model: 'a', day: '2026-11-01' });
    expect(parse({ group_by: 'model,day', after }).query.after).toEqual({ model: 'a', day: '2026-11-01' });
  });

  const cursor = encodeGroupCursor(['model'], { model: 'a' });
  it.each([
    [{ metric: 'money' }, 'metric'],
    [{ metric: '' }, 'metric'],
    [{ group_by: 'model,user,key' }, 'group_by'],
    [{ group_by: 'model,user,key,day' }, 'group_by'],
    [{ group_by: 'day,hour' }, 'group_by'],
    [{ group_by: 'week' }, 'group_by'],
    [{ model: '' }, 'model'],
    [{ user: 'x'.repeat(513) }, 'user'],
    [{ key: Array.from({ length: 101 }, () => 'k') }, 'key'],
    [{ label: 'team' }, 'label'],
    [{ label: '=search' }, 'label'],
    [{ time_zone: 'Mars/Phobos' }, 'time_zone'],
    [{ time_zone: '+01:00' }, 'time_zone'],
    [{ time_zone: ['UTC', 'UTC'] }, 'time_zone'],
    [{ start_time: '1790000000000' }, 'start_time'],
    [{ start_time: 'yesterday' }, 'start_time'],
    [{ start_time: '2026-02-30' }, 'start_time'],
    [{ start_time: '2026-02-30T00:00:00Z' }, 'start_time'],
    [{ start_time: '2026-01-01T25:00:00Z' }, 'start_time'],
    [{ start_time: '-5' }, 'start_time'],
    [{ end_time: '1e9' }, 'end_time'],
    [{ start_time: '2026-11-02', end_time: '2026-11-02' }, 'start_time'],
    [{ start_time: '0' }, 'start_time'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '10001' }, 'limit'],
    [{ limit: '1.5' }, 'limit'],
    [{ limit: 'x' }, 'limit'],
    [{ after: cursor }, 'after'],
    [{ after: cursor, group_by: 'model,day' }, 'after'],
    [{ after: 'x', group_by: 'model' }, 'after'],
    [{ after: Buffer.from('[1]').toString('base64url'), group_by: 'model' }, 'after'],
    [{ sort: 'cost' }, 'sort'],
  ])('rejects %j', (fields, param) => {
    const rejected = catchError(() => parse(fields));
    expect(rejected).toMatchObject({ code: 'invalid_request', param });
    expect(rejected?.message).toMatch(new RegExp(`^${param} (must|is) .*\\.$`));
  });
});

function catchError(run: () => unknown): GatewayError | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  return undefined;
}
