import { describe, expect, it } from 'vitest';
import { parseTasksArguments } from './tasks-arguments.ts';
import { UsageError } from '../terminal/usage-error.ts';

const parse = (line: string) => parseTasksArguments(line.split(' ').map((word) => word.replaceAll('_', ' ')));

describe('parseTasksArguments', () => {
  it.each([
    ['list', { operation: 'list', search: { limit: 20 } }],
    [
      'list --status queued --owner a --upstream u --model m --older-than 10m --limit 100 --after 0.1.x',
      {
        search: {
          status: 'queued',
          owner: 'a',
          upstream: 'u',
          model: 'm',
          olderThanMs: 600_000,
          limit: 100,
          after: '0.1.x',
        },
      },
    ],
    ['show video-1 --prompt --json', { operation: 'show', id: 'video-1', withPrompt: true, json: true }],
    ['adopt video-1 job-1 --path /x', { operation: 'adopt', id: 'video-1', job: 'job-1', path: '/x' }],
    ['adopt video-1 _job-1_ --path _/x_ --instead-of _job-0', { job: 'job-1', path: '/x', insteadOf: 'job-0' }],
    ['fail video-1 --reason it_is_gone --by ana', { operation: 'fail', reason: 'it is gone', by: 'ana' }],
    ['resubmit video-1 --confirm --attempt 2', { operation: 'resubmit', attempt: 2 }],
    ['cancel video-1 --note why_not', { operation: 'cancel', id: 'video-1', note: 'why not' }],
    ['reindex', { operation: 'reindex', id: '' }],
  ])('%s', (line, expected) => {
    expect(parse(line)).toMatchObject(expected);
  });

  it.each([
    'remove video-1',
    'list video-1',
    'list --status lost',
    'list --limit 0',
    'list --limit 101',
    'list --older-than soon',
    'list --prompt',
    'show',
    'show a b',
    'show a --reason x',
    'adopt video-1',
    'adopt video-1 _',
    `adopt video-1 ${'x'.repeat(257)}`,
    'adopt video-1 a\nb',
    'resubmit video-1 --confirm --attempt 1 --instead-of job-0',
    `adopt video-1 job-1 --path ${'x'.repeat(257)}`,
    `cancel video-1 --by ${'x'.repeat(65)}`,
    'fail video-1',
    'fail video-1 --reason _',
    `fail video-1 --reason ${'x'.repeat(301)}`,
    'fail video-1 --reason a\nb',
    'resubmit video-1',
    'resubmit video-1 --confirm',
    'resubmit video-1 --attempt 1',
    'resubmit video-1 --confirm --attempt 0',
    'resubmit video-1 --confirm --attempt x',
    'cancel video-1 --by _',
    'cancel video-1 --nothing',
  ])('rejects %j', (line) => {
    expect(() => parse(line)).toThrow(UsageError);
  });
});
