import { expect, it } from 'vitest';
import { passedHeaders } from './passed-headers.ts';

it('keeps what a client may see, the first value where one came twice', () => {
  const kept = { 'content-type': 'a', 'x-ratelimit-reset-requests': '1s', 'anthropic-ratelimit-requests-reset': 'z' };
  expect(passedHeaders({ ...kept, 'retry-after': ['1', '2'], 'x-request-id': [] })).toEqual({
    ...kept,
    'retry-after': '1',
  });
});

it('drops all else, whose account it is above all', () => {
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
