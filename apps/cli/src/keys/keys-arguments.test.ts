import { describe, expect, it } from 'vitest';
import { parseKeysArguments } from './keys-arguments.ts';
import { UsageError } from '../terminal/usage-error.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const DAY = 86_400_000;
const parse = (line: string) => parseKeysArguments(line.split(' '), NOW);

describe('parseKeysArguments', () => {
  it('returns only the given options', () => {
    expect(parse('create app')).toEqual({
      operation: 'create',
      key: 'app',
      settings: {},
      graceMs: DAY,
      json: false,
    });
    expect(parse('list --json')).toMatchObject({ operation: 'list', key: '', json: true });
  });

  it.each([
    ['--models a,b*', { models: ['a', 'b*'] }],
    ['--models all', { models: null }],
    ['--strict', { strict: true }],
    ['--no-strict', { strict: false }],
    ['--vendor-references', { vendor_references: true }],
    ['--limit-rpm 5 --limit-concurrent-tasks none', { limits: { rpm: 5, concurrent_tasks: null } }],
    ['--budget 2.50', { budget: { usd: 2.5 } }],
    ['--budget 3 --budget-period day', { budget: { usd: 3, period: 'day' } }],
    ['--budget-period total', { budget: { period: 'total' } }],
    ['--labels team=a,env=b=c', { labels: { team: 'a', env: 'b=c' } }],
    ['--labels none', { labels: null }],
    ['--budget none', { budget: null }],
  ])('reads %s', (options, settings) => {
    expect(parse(`update app ${options}`).settings).toEqual(settings);
  });

  it.each([
    ['30d', NOW + 30 * DAY],
    ['90m', NOW + 5_400_000],
    ['45s', NOW + 45_000],
    ['12h', NOW + DAY / 2],
    ['2030-12-31', Date.UTC(2030, 11, 31)],
    ['2030-12-31T12:00Z', Date.UTC(2030, 11, 31, 12)],
    ['2030-12-31T12:00:30+02:00', Date.UTC(2030, 11, 31, 10, 0, 30)],
    ['never', null],
  ])('reads --expires %s', (value, at) => {
    expect(parse(`update app --expires ${value}`).expiresAt).toBe(at);
  });

  it.each([
    ['0', 0],
    ['0s', 0],
    ['2d', 2 * DAY],
  ])('reads --grace %s', (value, ms) => {
    expect(parse(`rotate app --grace ${value}`).graceMs).toBe(ms);
  });

  it.each([
    'creat app',
    'create',
    'create a b',
    'list a',
    'list --strict',
    'show a --grace 1h',
    'update a --models none',
    'update a --models all,my-video',
    'create a --limit-rpm',
    'create a --limit-rpm x',
    'create a --limit-rpm -1',
    'create a --limit-rps 1',
    'create a --labels team',
    'create a --budget 1e3',
    'create a --budget-period week',
    'create a --expires soon',
    'create a --expires 2030-13-45',
    'create a --expires 12-31-2030',
    'rotate a --grace 1',
    'rotate a --grace 1w',
    'rotate a --expires 1d',
    'create a --jsn',
  ])('rejects %s', (line) => {
    expect(() => parse(line)).toThrow(UsageError);
  });
});
