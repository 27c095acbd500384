import { expect, it } from 'vitest';
import { passedHeaders } from './passed-headers.ts';

it('keeps headers that a client may see, the first of repeated values', () => {
  const kept = { 'content-type': 'a', 'x-ratelimit-reset-requests': '1s', 'anthropic-ratelimit-requests-reset': 'z' };
  expect(passedHeaders({ ...kept, 'retry-after': ['1', '2'], 'x-request-id': [] })).toEqual({
    ...kept,
    'retry-after': '1',
  });
});

it('drops all others, especially those that name the account', () => {
  const headers = {
    'set-cookie': ['a'],
    'openai-organization': 'org-1',
    'openai-project': 'proj_1',
    'anthropic-organization-id': 'u',
    'transfer-encoding': 'chunked',
    connection: 'keep-alive',
    'content-length': '1',
    'content-encoding': 'gzip',
    server: 'x',
    via: 'x',
  };
  expect(passedHeaders(headers)).toEqual({});
});
