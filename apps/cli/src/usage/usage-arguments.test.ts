import { describe, expect, it } from 'vitest';
import { UsageError } from '../terminal/usage-error.ts';
import { parseUsageArguments } from './usage-arguments.ts';

const NOW = Date.parse('2026-11-23T08:30:00Z');
const parse = (line: string) => parseUsageArguments(line === '' ? [] : line.split(' '), NOW);
const at = (text: string) => Date.parse(text);

describe('parseUsageArguments', () => {
  it('shows a table of the cost of each model in the last seven days by default', () => {
    expect(parse('')).toMatchObject({
      format: 'table',
      report: {
        metrics: ['cost'],
        limit: 30,
        query: { groupBy: ['model'], start: at('2026-11-17T00:00:00Z'), end: at('2026-11-23T09:00:00Z') },
      },
    });
  });

  it('has the defaults of the usage endpoint for --json and --csv', () => {
    expect(parse('--json')).toMatchObject({ format: 'json', report: { limit: 1_000, query: { groupBy: [] } } });
    expect(parse('--csv').report.metrics).toContain('duration');
  });

  it.each([
    ['--since 12h', { start: at('2026-11-22T20:00:00Z') }],
    ['--since 7d --until 1d', { start: at('2026-11-16T08:00:00Z'), end: at('2026-11-22T08:00:00Z') }],
    ['--since 2w', { start: at('2026-11-09T08:00:00Z') }],
    ['--since 2026-11-20 --time-zone Europe/Berlin', { start: at('2026-11-19T23:00:00Z'), timeZone: 'Europe/Berlin' }],
    ['--group-by key,day', { groupBy: ['key', 'day'] }],
    ['--group-by key --group-by day', { groupBy: ['key', 'day'] }],
    ['--model a --model b --label team=x', { filters: { model: ['a', 'b'], label: ['team=x'] } }],
    [
      '--key k --upstream u --endpoint e --user x',
      { filters: { key: ['k'], upstream: ['u'], endpoint: ['e'], user: ['x'] } },
    ],
  ])('reads %s', (line, query) => {
    expect(parse(line).report.query).toMatchObject(query);
  });

  it.each([
    ['--group-by week', /^--group-by must be key, .*\.$/],
    ['--metric money', /^--metric must be requests, .*\.$/],
    ['--since soon', /^--since must be Unix seconds, /],
    ['--since 1d --until 2d', /^--since must be before --until\.$/],
    ['--time-zone Mars', /^--time-zone must be the IANA name/],
    ['--label team', /^--label must be NAME=VALUE/],
    ['--limit 0', /^--limit must be an integer/],
    ['--json --csv', /not both/],
    ['--after x', /requires --json/],
    ['--json --after x', /^--after must be/],
    ['--nothing', /Unknown option/],
    ['models', /Unexpected argument/],
  ])('rejects %s', (line, message) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(message);
  });
});
